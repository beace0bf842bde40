"""Which addresses a webhook may have, and how long to wait after a failure."""

from __future__ import annotations

import pytest

from shared.models import Attempt
from shared.policy.webhooks import (
    LONGEST_PAUSE_S,
    MOST_TRIES,
    Target,
    TargetRule,
    UnusableUrlError,
    may_call,
    next_try_s,
    pause_s,
    read_target,
)

SITE = TargetRule(ports=(443, 8443), networks=(), is_local=False)
LOCAL = TargetRule(ports=(443, 8443), networks=(), is_local=True)
INTERNAL = TargetRule(ports=(443,), networks=("10.20.0.0/16", "fd00:1::/32"), is_local=False)


def test_a_target_is_read_into_its_parts() -> None:
    assert read_target("https://hooks.example.org/a?b=c", SITE) == Target(
        scheme="https", host="hooks.example.org", port=443, path="/a?b=c"
    )
    target = read_target("https://[2606:4700::1111]:8443", SITE)
    assert (target.host, target.path) == ("2606:4700::1111", "/")
    assert target.host_header == "[2606:4700::1111]:8443"


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "ftp://hooks.example.org/",
        "file:///etc/passwd",
        "//hooks.example.org/",
        "https://",
        "https://hooks.example.org*",
        "https://hooks..example.org/",
        "https://-hooks.example.org/",
        "https:///path",
        "https://user:secret@hooks.example.org/",
        "https://hooks.example.org@127.0.0.1/",
        "https://hooks.example.org/#fragment",
        "https://hooks.example.org:22/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org:x/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:169.254.169.254]/",
        "https://[fe80::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[::1",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://127.0.0.1./",
        "https://[2002:a9fe:a9fe::]/",
        "https://[64:ff9b::a9fe:a9fe]/",
        "https://[fd00:ec2::254]/",
        "https://hooks.example.org/\r\nX-Injected: 1",
        "https://hooks.example.org/a b",
        "https://hooks.example.org\\@127.0.0.1/",
        "https://hööks.example.org/",
        "https://hooks.example.org/" + "a" * 2000,
    ],
)
def test_a_url_that_may_not_be_called_is_refused(url: str) -> None:
    with pytest.raises(UnusableUrlError):
        read_target(url, SITE)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0",  # noqa: S104
        "10.0.0.1", "172.16.0.1", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "192.0.0.170", "198.18.0.1", "203.0.113.5", "224.0.0.1",
        "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1",
        "fec0::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::",
        "2001:0:a00:1::1", "fe80::1%eth0", "not an address", "", "fd00:ec2::254", "168.63.129.16",
        "2002:a83f:8110::", "2606:4700::5efe:7f00:1", "::ffff:0:10.0.0.1", "fd00:ec2::254%1",
    ],
)  # fmt: skip
def test_an_address_that_is_not_public_is_never_called(address: str) -> None:
    assert not may_call(target("hooks.example.org"), address, SITE)
    assert not may_call(target("hooks.example.org"), address, LOCAL)  # a name that leads home


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"]
)
def test_a_public_address_is_called(address: str) -> None:
    assert may_call(target("hooks.example.org"), address, SITE)


def test_networks_of_ones_own_can_be_allowed_and_nothing_beside_them() -> None:
    assert may_call(target("hooks.internal"), "10.20.3.4", INTERNAL)
    assert may_call(target("hooks.internal"), "::ffff:10.20.3.4", INTERNAL)
    assert may_call(target("hooks.internal"), "fd00:1::5", INTERNAL)
    assert not may_call(target("hooks.internal"), "10.21.0.1", INTERNAL)
    assert not may_call(target("hooks.internal"), "127.0.0.1", INTERNAL)
    assert read_target("https://10.20.3.4/", INTERNAL).host == "10.20.3.4"
    with pytest.raises(UnusableUrlError):
        read_target("http://10.20.3.4/", INTERNAL)


def test_no_network_opens_the_way_to_a_clouds_answers() -> None:
    everything = TargetRule(ports=(443,), networks=("0.0.0.0/0", "::/0"), is_local=False)
    assert may_call(target("hooks.internal"), "10.1.2.3", everything)
    for address in ("169.254.169.254", "fd00:ec2::254", "64:ff9b::a9fe:a9fe", "fe80::1"):
        assert not may_call(target("hooks.internal"), address, everything)


@pytest.mark.parametrize("host", ["localhost:9000", "127.0.0.1:9000", "[::1]:9000"])
def test_a_local_site_may_call_its_own_machine_by_its_own_names(host: str) -> None:
    hook = read_target(f"http://{host}/hook", LOCAL)
    assert may_call(hook, "127.0.0.1", LOCAL)
    assert not may_call(hook, "1.1.1.1", LOCAL)
    with pytest.raises(UnusableUrlError):
        read_target(f"http://{host}/hook", SITE)
    with pytest.raises(UnusableUrlError):
        read_target(f"http://{host}/hook".replace("9000", "25"), LOCAL)


def test_waits_grow_with_some_chance_and_then_end() -> None:
    failed = Attempt(http_status=500, error="refused")
    assert next_try_s(failed, 1, jitter=0.5) == 5
    assert next_try_s(failed, 2, jitter=0.0) == 240
    assert next_try_s(failed, 3, jitter=1.0) == pytest.approx(2160)
    assert next_try_s(failed, MOST_TRIES - 1, jitter=0.5) == 86_400
    assert next_try_s(failed, MOST_TRIES, jitter=0.5) is None


def test_a_receiver_may_ask_for_a_longer_wait_but_not_for_a_shorter_or_endless_one() -> None:
    def refused_for(seconds: float) -> Attempt:
        return Attempt(http_status=429, error="refused", retry_after_s=seconds)

    assert next_try_s(refused_for(60), 1, jitter=0.5) == 60
    assert next_try_s(refused_for(1), 1, jitter=0.5) == 5
    assert next_try_s(refused_for(1e9), 1, jitter=0.5) == 86_400
    assert pause_s(refused_for(60), 1, jitter=0.5) == 60


def test_the_pause_doubles_with_each_failure_up_to_a_limit() -> None:
    failed = Attempt(error="timeout")
    assert [pause_s(failed, failures, jitter=0.5) for failures in (1, 2, 3)] == [5, 10, 20]
    assert pause_s(failed, 10_000, jitter=0.5) == LONGEST_PAUSE_S


def target(host: str) -> Target:
    return Target(scheme="https", host=host, port=443, path="/")
