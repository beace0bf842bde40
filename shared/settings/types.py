"""Types of settings, and how a list is read from one variable."""

from __future__ import annotations

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from shared.policy.addresses import may_be_named_by_operators, read_address


class SettingsError(SystemExit):
    """A setting has a value that cannot be used; the message names it."""


LONGEST_S = 10 * 365 * 86_400  # the longest of any wait: what waits takes no more
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _split(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _split_address(value: object) -> object:
    """Split `host:port`. An IPv6 host stands in brackets."""
    if not isinstance(value, str):
        return value
    host, _, port = value.rpartition(":")
    if not host:
        raise ValueError("must be an address and a port: 127.0.0.1:9464")
    return host.removeprefix("[").removesuffix("]"), port


def _check_outgoing(url: str) -> str:
    """Names are looked up when they are called (`shared/outbound/name_lookup.py`)."""
    host = urlsplit(url).hostname
    address = read_address(host) if host else None
    if address and not may_be_named_by_operators(address):
        raise ValueError("leads to an address that is never called")
    return url


def _check_networks(entries: tuple[str, ...]) -> tuple[str, ...]:
    for entry in entries:
        ipaddress.ip_network(entry, strict=False)
    return entries


Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0, le=LONGEST_S)]
Count = Annotated[int, Field(ge=0)]
Days = Annotated[int, Field(ge=0, le=36_500)]
Port = Annotated[int, Field(gt=0, le=65_535)]
AnyPort = Annotated[int, Field(ge=0, le=65_535)]  # 0: one that is free
Address = Annotated[tuple[str, Port], NoDecode, BeforeValidator(_split_address)]
# With commas between.
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
OutgoingUrl = Annotated[str, AfterValidator(_check_outgoing)]
Networks = Annotated[Names, AfterValidator(_check_networks)]
Ports = Annotated[tuple[Port, ...], NoDecode, BeforeValidator(_split)]


class Group(BaseSettings):
    """Settings of one kind. Field names are the environment's variable names in lower case."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")
