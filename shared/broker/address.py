"""The broker's address, in the form that Celery and Flower take."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

from celery import Celery

from shared.broker.tasks import BrokerKind
from shared.settings import Settings
from shared.settings.service_addresses import Tls, find_tls, kind_of, read_sentinels

CONNECT_TIMEOUT_S = 2
ANSWER_TIMEOUT_S = 5


@dataclass(frozen=True, kw_only=True)
class BrokerAddress:
    """Where the broker is and how it is reached."""

    kind: BrokerKind
    url: str  #: in kombu's form; it may contain a password
    tls: dict[str, Any] | None  #: Celery's `broker_use_ssl`
    options: dict[str, Any] = field(default_factory=dict)  #: more of kombu's transport options


def broker_address(settings: Settings) -> BrokerAddress:
    """The address of BROKER_URL or, without it, of REDIS_URL."""
    url = settings.effective_broker_url
    if not url:  # of a process that sends nothing
        return BrokerAddress(kind="redis", url="", tls=None)
    tls = find_tls(url)
    match kind_of(url):
        case "rabbitmq":
            return BrokerAddress(kind="rabbitmq", url=_bare(url), tls=_tls_of_rabbitmq(tls))
        case "sentinel":
            return _by_sentinels(url, tls)
        case "unix":
            parts = urlsplit(url)
            database = parse_qs(parts.query).get("db", ["0"])[0]
            socket = f"redis+socket://{parts.path}?virtual_host={database}"
            return BrokerAddress(kind="redis", url=socket, tls=None)
        case "redis":
            return BrokerAddress(kind="redis", url=_bare(url), tls=tls.for_redis() if tls else None)


def _bare(url: str) -> str:
    """Without the arguments, which were read already. RabbitMQ may have several servers."""
    one_by_one = (urlsplit(server)._replace(query="") for server in url.split(";"))
    return ";".join(urlunsplit(parts) for parts in one_by_one)


def _tls_of_rabbitmq(tls: Tls | None) -> dict[str, Any] | None:
    if tls is None:
        return None
    files = {name.removeprefix("ssl_"): path for name, path in tls.files.items()}
    if not tls.is_checked:
        return {"cert_reqs": ssl.CERT_NONE, **files}
    # kombu puts the server's own name in the place of None, so that the certificate must have it.
    return {"cert_reqs": ssl.CERT_REQUIRED, "server_hostname": None, **files}


def _by_sentinels(url: str, tls: Tls | None) -> BrokerAddress:
    address = read_sentinels(url)
    user = f"{quote(address.username or '', safe='')}:{quote(address.password or '', safe='')}@"
    credentials = user if address.password else ""
    encrypted = tls.for_redis() if tls else {}
    sentinels = {
        "username": address.own_username,
        "password": address.own_password,
        "socket_timeout": CONNECT_TIMEOUT_S,
        "socket_connect_timeout": CONNECT_TIMEOUT_S,
        "ssl": bool(tls),
        **encrypted,
    }
    return BrokerAddress(
        kind="redis",
        url=";".join(
            f"sentinel://{credentials}{_url_host(host.name)}:{host.port}/{address.database}"
            for host in address.hosts
        ),
        tls=encrypted or None,
        options={"master_name": address.master, "sentinel_kwargs": sentinels},
    )


def _url_host(host: str) -> str:
    """IPv6 addresses stand in brackets."""
    return f"[{host}]" if ":" in host else host


def kind_of_broker(app: Celery) -> BrokerKind:
    url = str(app.conf.broker_url)
    return "rabbitmq" if url.startswith("amqp") else "redis"
