from __future__ import annotations

import pytest

from shared.settings import SettingsError, read_settings
from shared.settings.service_addresses import Host, find_tls, read_sentinels


def test_sentinels_are_read_from_one_url() -> None:
    url = "sentinels://ada:a%40b@one:1,two,[::1]:3/5?master=chat&sentinel_username=watch"
    read = read_sentinels(url)
    assert read.hosts == (Host(name="one", port=1), Host(name="two", port=26379),
                          Host(name="::1", port=3))  # fmt: skip
    assert (read.master, read.database) == ("chat", 5)
    assert (read.username, read.password) == ("ada", "a@b")
    assert (read.own_username, read.own_password) == ("watch", None)


def test_tls_is_what_the_scheme_says() -> None:
    assert find_tls("redis://cache?ssl_ca_certs=/ca.pem") is None
    tls = find_tls("rediss://cache?ssl_ca_certs=/ca.pem&db=1")
    assert tls is not None
    assert tls.files == {"ssl_ca_certs": "/ca.pem"}
    assert tls.is_checked


@pytest.mark.parametrize("name", ["redis_url", "broker_url"])
@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("cache:6379", "must begin with redis://"),
        ("redis+cluster://one:7000", "Redis Cluster, which is not supported"),
        ("sentinel://one", "the name of the master"),
        ("sentinel://one/chat?master=chat", "by its number"),
        ("sentinel:///0?master=chat", "must name its Sentinels"),
        ("sentinel://one?master=chat&passwort=x", "passwort that means nothing"),
        ("sentinel://one?master=chat&ssl_ca_certs=/ca.pem", "ssl_ca_certs that means nothing"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_by_name(name: str, url: str, why: str) -> None:
    with pytest.raises(SettingsError, match=name.upper()) as refused:
        read_settings(**{name: url})
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("redis_url", "amqp://rabbit//"),
        ("broker_url", "amqp://one//;amqps://two//"),
        ("broker_url", "amqps://one//?ssl_ca_cert=/ca.pem"),
    ],
)
def test_rabbitmq_stands_alone_in_its_own_setting(setting: str, url: str) -> None:
    with pytest.raises(SettingsError, match=setting.upper()):
        read_settings(**{setting: url})
