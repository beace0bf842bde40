"""Which addresses the site's own requests may go to."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.addresses import is_public, may_be_named_by_operators, read_address

CLOUD = ("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192")
OWN = ("127.0.0.1", "10.1.2.3", "192.168.1.20", "172.16.0.9", "100.64.0.7")


def disguises(address: str) -> list[str]:
    """Texts and addresses that lead to an IPv4 address."""
    four = ipaddress.IPv4Address(address)
    number, (a, b, c, d) = int(four), four.packed
    high, low = divmod(number, 65_536)
    return [
        address, f"{address}.", str(number), hex(number), f"0{number:o}",
        f"{a}.{number & 0xFFFFFF}", f"{a}.{b}.{low}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"{a}.{b:#x}.0{c:o}.{d}",
        f"::ffff:{address}", f"::{high:x}:{low:x}", f"64:ff9b::{high:x}:{low:x}",
        f"64:ff9b:1::{high:x}:{low:x}", f"2002:{high:x}:{low:x}::1", f"::ffff:0:{address}",
        f"2001:db9::5efe:{address}", f"2001:0:{high:x}:{low:x}::1",
        f"2001:0:101:101:0:0:{high ^ 0xFFFF:x}:{low ^ 0xFFFF:x}", f"::ffff:{address}%eth0",
    ]  # fmt: skip


@pytest.mark.parametrize("text", [text for original in CLOUD for text in disguises(original)])
def test_a_clouds_answers_are_behind_no_disguise(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert not may_be_named_by_operators(address)
    assert not is_public(address)


@pytest.mark.parametrize("text", [text for original in OWN for text in disguises(original)])
def test_what_is_inside_is_not_public_in_any_disguise(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert not is_public(address)


@pytest.mark.parametrize(
    "text", [*OWN, "::1", "fd12::1", "fc00:1::5", "127.1", "::ffff:10.0.0.1", "8.8.8.8", "2a00::1"]
)
def test_a_model_may_be_on_the_same_machine_in_a_private_network_or_anywhere(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert may_be_named_by_operators(address)


@pytest.mark.parametrize(
    "text", ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fe80::a9fe:a9fe%1", "ff02::1", "::"]
)
def test_where_no_model_can_be(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert not may_be_named_by_operators(address)


@pytest.mark.parametrize(
    "text", ["localhost", "a.example", "1.2.3.4.5", "256.1.1.1", "0x", "1..2", "08.1", "4294967296"]
)
def test_a_name_is_no_address(text: str) -> None:
    assert read_address(text) is None


@given(st.integers(0, 2**32 - 1))
def test_every_form_of_an_address_is_the_same_address(number: int) -> None:
    address = ipaddress.IPv4Address(number)
    for text in disguises(str(address))[:10]:
        assert read_address(text) == address
