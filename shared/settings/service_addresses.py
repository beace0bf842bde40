"""Reads the addresses of Redis, of Sentinel and of RabbitMQ: REDIS_URL and BROKER_URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

AddressKind = Literal["redis", "unix", "sentinel", "rabbitmq"]

SENTINEL_PORT = 26379
KINDS: dict[str, AddressKind] = {
    "redis": "redis",
    "rediss": "redis",
    "unix": "unix",
    "sentinel": "sentinel",
    "sentinels": "sentinel",
    "amqp": "rabbitmq",
    "amqps": "rabbitmq",
}
WITH_TLS = frozenset({"rediss", "sentinels", "amqps"})
TLS_FILES = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"})
UNCHECKED = ("ssl_cert_reqs", "none")  # as some hosts want it whose certificates nobody signed
SENTINEL_ARGUMENTS = frozenset({"master", "sentinel_username", "sentinel_password"})
CLUSTER = (
    "names a Redis Cluster, which is not supported: Celery cannot use one as its broker, and some "
    "of our scripts change keys of several slots at once. Use one Redis, or Sentinel"
)


@dataclass(frozen=True, kw_only=True)
class Host:
    name: str
    port: int


@dataclass(frozen=True, kw_only=True)
class Sentinels:
    """The Sentinels that know where the master is."""

    hosts: tuple[Host, ...]
    master: str  #: the name under which they watch it
    database: int
    username: str | None  #: of the Redis servers
    password: str | None
    own_username: str | None  #: of the Sentinels themselves
    own_password: str | None


def kind_of(url: str) -> AddressKind:
    """Raises `ValueError` for a URL of no known kind."""
    scheme = urlsplit(url).scheme
    if "cluster" in scheme:
        raise ValueError(CLUSTER)
    if scheme not in KINDS or not url.startswith(f"{scheme}:"):
        raise ValueError(f"must begin with {', '.join(f'{name}://' for name in KINDS)}")
    return KINDS[scheme]


def check_url(url: str, *, is_broker: bool) -> None:
    """Raises `ValueError` with what is wrong about it."""
    kind = kind_of(url)
    if kind == "rabbitmq" and not is_broker:
        raise ValueError("must be a Redis: RabbitMQ goes into BROKER_URL")
    for part in url.split(";") if kind == "rabbitmq" else [url]:
        if urlsplit(part).scheme != urlsplit(url).scheme:
            raise ValueError("names several servers, of which each must begin as the first does")
        _check_arguments(part, kind)
    if kind == "sentinel":
        read_sentinels(url)


@dataclass(frozen=True, kw_only=True)
class Tls:
    """How a connection is encrypted."""

    files: dict[str, str]  #: by redis-py's names, of which `ssl_ca_certs` may be missing
    is_checked: bool  #: whether the server must show a certificate in its own name

    def for_redis(self) -> dict[str, str | bool]:
        """redis-py's arguments of a connection."""
        how = "required" if self.is_checked else "none"
        return {"ssl_cert_reqs": how, "ssl_check_hostname": self.is_checked, **self.files}


def find_tls(url: str) -> Tls | None:
    """None: without TLS."""
    parts = urlsplit(url)
    if parts.scheme not in WITH_TLS:
        return None
    arguments = parse_qsl(parts.query)
    files = {name: value for name, value in arguments if name in TLS_FILES}
    return Tls(files=files, is_checked=UNCHECKED not in arguments)


def read_sentinels(url: str) -> Sentinels:
    """Read `sentinel://user:password@host:port,host:port/database?master=name`."""
    parts = urlsplit(url)
    credentials, _, hosts = parts.netloc.rpartition("@")
    username, _, password = credentials.partition(":")
    arguments = dict(parse_qsl(parts.query))
    if not arguments.get("master"):
        raise ValueError("needs ?master=… at its end: the name of the master at its Sentinels")
    if not (parts.path.strip("/") or "0").isdecimal():
        raise ValueError("must name the database by its number: sentinel://host:26379/0?master=…")
    return Sentinels(
        hosts=tuple(_read_host(host) for host in hosts.split(",")),
        master=arguments["master"],
        database=int(parts.path.strip("/") or 0),
        username=unquote(username) or None,
        password=unquote(password) or None,
        own_username=arguments.get("sentinel_username"),
        own_password=arguments.get("sentinel_password"),
    )


def _read_host(text: str) -> Host:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("must name its Sentinels: sentinel://host:26379,host:26379/0?master=…")
    return Host(name=parts.hostname, port=parts.port or SENTINEL_PORT)


def _check_arguments(url: str, kind: AddressKind) -> None:
    """An argument that is misspelt would be ignored without a word, such as the one of the CA."""
    if kind in {"unix", "redis"}:  # redis-py knows many, and refuses what it does not know
        return
    known = TLS_FILES | {"ssl_cert_reqs"} if urlsplit(url).scheme in WITH_TLS else frozenset()
    known |= SENTINEL_ARGUMENTS if kind == "sentinel" else frozenset()
    for name, _ in parse_qsl(urlsplit(url).query):
        if name not in known:
            raise ValueError(f"has an argument {name} that means nothing here")
