"""Types of settings, and how a list is read from one variable."""

from __future__ import annotations

import ipaddress
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class SettingsError(SystemExit):
    """A setting has a value that cannot be used; the message names it."""


LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _split(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _check_networks(entries: tuple[str, ...]) -> tuple[str, ...]:
    for entry in entries:
        ipaddress.ip_network(entry, strict=False)
    return entries


Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Days = Annotated[int, Field(ge=0, le=36_500)]
Port = Annotated[int, Field(gt=0, le=65_535)]
AnyPort = Annotated[int, Field(ge=0, le=65_535)]  # 0: one that is free
# With commas between.
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
Networks = Annotated[Names, AfterValidator(_check_networks)]
Ports = Annotated[tuple[Port, ...], NoDecode, BeforeValidator(_split)]
Waits = Annotated[tuple[Seconds, ...], NoDecode, BeforeValidator(_split)]


class Group(BaseSettings):
    """Settings of one kind. Field names are the environment's variable names in lower case."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")
