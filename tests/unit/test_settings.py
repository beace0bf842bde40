from __future__ import annotations

import pytest

from shared.settings import SettingsError, host_and_port, read_settings


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1", "127.0.0.1:8000"),
        ("localhost", "localhost:8000"),
        ("::1", "[::1]:8000"),
        ("::", "[::]:8000"),
    ],
)
def test_an_ipv6_address_is_written_in_brackets(address: str, expected: str) -> None:
    assert host_and_port(address, 8000) == expected


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("database_url", "mysql://somewhere"),
        ("redis_url", "somewhere:6379"),
        ("trusted_proxies", "10.0.0.0/8,proxy.example"),
        ("web_concurrency", "many"),
        ("lease_s", "-1"),
        ("metrics_address", "9464"),
        ("metrics_address", "127.0.0.1:0"),
        ("llm_api_base", "http://169.254.169.254/v1"),
        ("llm_api_base", "http://[64:ff9b::a9fe:a9fe]/v1"),
        ("oidc_issuer", "https://[fd00:ec2::254]"),
        ("flower_internal_url", "http://2852039166:5555"),
    ],
)
def test_a_value_that_is_none_is_refused_by_name(setting: str, value: str) -> None:
    with pytest.raises(SettingsError, match=setting.upper()):
        read_settings(**{setting: value})


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:9464", ("127.0.0.1", 9464)), ("[::1]:9464", ("::1", 9464)), ("", None)],
)
def test_an_address_of_metrics_has_a_host_and_a_port(
    monkeypatch: pytest.MonkeyPatch, text: str, address: tuple[str, int] | None
) -> None:
    monkeypatch.setenv("METRICS_ADDRESS", text)
    assert read_settings().metrics_address == address
