"""What BROKER_URL and REDIS_URL become for Celery."""

from __future__ import annotations

import ssl

import pytest

from shared.broker.address import BrokerAddress, broker_address, kind_of_broker
from shared.broker.celery_app import make_celery
from shared.broker.tasks import PRIORITIES, QUEUES
from shared.settings import read_settings


def address_of(url: str) -> BrokerAddress:
    return broker_address(read_settings(broker_url=url, redis_url="redis://elsewhere"))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://cache:6379/1", "redis://cache:6379/1"),
        ("unix:///run/v.sock?db=2", "redis+socket:///run/v.sock?virtual_host=2"),
        ("amqp://ada:secret@rabbit/site", "amqp://ada:secret@rabbit/site"),
        ("amqp://one//;amqp://two//", "amqp://one//;amqp://two//"),
        (
            "sentinel://:se%40cret@one:1,[::1]/2?master=chat",
            "sentinel://:se%40cret@one:1/2;sentinel://:se%40cret@[::1]:26379/2",
        ),
    ],
)
def test_a_url_becomes_kombus(url: str, expected: str) -> None:
    address = address_of(url)
    assert (address.url, address.tls) == (expected, None)


def test_without_a_url_of_its_own_the_broker_is_redis() -> None:
    assert broker_address(read_settings(redis_url="redis://cache")).url == "redis://cache"


def test_sentinels_are_asked_for_the_master_that_is_named() -> None:
    options = address_of("sentinel://one?master=chat&sentinel_password=other").options
    assert options["master_name"] == "chat"
    assert options["sentinel_kwargs"].items() >= {("password", "other")}


def test_redis_with_tls_checks_the_servers_certificate() -> None:
    address = address_of("rediss://cache?ssl_ca_certs=/ca.pem&ssl_certfile=/own.pem")
    assert address.url == "rediss://cache"
    assert address.tls == {
        "ssl_cert_reqs": "required",
        "ssl_check_hostname": True,
        "ssl_ca_certs": "/ca.pem",
        "ssl_certfile": "/own.pem",
    }


def test_rabbitmq_with_tls_checks_the_servers_certificate_and_its_name() -> None:
    address = address_of("amqps://rabbit//?ssl_ca_certs=/ca.pem")
    assert address.url == "amqps://rabbit//"
    assert address.tls == {
        "cert_reqs": ssl.CERT_REQUIRED,
        "server_hostname": None,  # kombu takes the URL's host
        "ca_certs": "/ca.pem",
    }


@pytest.mark.parametrize("scheme", ["rediss", "amqps"])
def test_the_check_can_be_turned_off(scheme: str) -> None:
    tls = address_of(f"{scheme}://host//?ssl_cert_reqs=none").tls or {}
    assert {"none", ssl.CERT_NONE} & {tls.get("ssl_cert_reqs"), tls.get("cert_reqs")}


def test_each_broker_knows_the_priorities_of_its_kind() -> None:
    app = make_celery(read_settings(broker_url="amqp://rabbit//"))
    assert kind_of_broker(app) == "rabbitmq"
    for name in QUEUES:
        queue = app.amqp.queues[name]
        assert queue.durable
        assert queue.queue_arguments["x-max-priority"] == max(PRIORITIES["rabbitmq"].values())
    redis = make_celery(read_settings(redis_url="redis://cache"))
    assert kind_of_broker(redis) == "redis"
    steps = redis.conf.broker_transport_options["priority_steps"]
    assert steps == sorted(PRIORITIES["redis"].values())
    assert all(PRIORITIES[kind].keys() == PRIORITIES["redis"].keys() for kind in PRIORITIES)
