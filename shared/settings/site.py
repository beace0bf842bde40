"""The site: addresses, limits, quotas, logs."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator

from shared.settings.types import (
    LOOPBACK,
    AnyPort,
    Count,
    Group,
    Names,
    Networks,
    OutgoingUrl,
    Positive,
    Seconds,
)

SHORTEST_TOKEN = 12  # characters, of a token that a person chooses
_TOKEN = re.compile(r"[A-Za-z0-9_-]+")


class SiteSettings(Group):
    # Site
    bind: str = "127.0.0.1"
    port: AnyPort = 8000
    published_port: AnyPort = 0  # PORT as browsers see it; 0: the same
    data_dir: Path = Path(".data")
    auth_mode: Literal["local", "password", "oidc", "proxy"] = "local"
    local_token: SecretStr = SecretStr("")  # empty: made at the first start; "off": none
    open_browser: bool = True
    trusted_proxies: Networks = ()
    trusted_hosts: Names = ()
    max_message_chars: Positive = 100_000
    import_max_bytes: Positive = 1024**3
    attachment_max_bytes: Annotated[int, Field(gt=0, le=100 * 1024**2)] = 10 * 1024**2
    attachments_per_message: Annotated[int, Field(gt=0, le=10)] = 10
    client_max_body_bytes: Positive = 20 * 1024**2  # of a request of an OpenAI client
    cors_origins: Names = ()  # whose pages may use /v1, with a token
    # an OpenAI client's unknown model is answered by the default; unset: in local mode
    any_client_model: bool | None = None
    max_live_rounds: Positive = 48
    max_live_rounds_per_user: Positive = 12
    max_followers_per_user: Positive = 32
    max_imports_per_user: Positive = 4
    # Of one user, in all processes; 0: no quota. Days are of UTC.
    quota_rounds_per_day: Count = 0
    quota_tokens_per_day: Count = 0
    quota_searches_per_day: Count = 0
    quota_storage_bytes: Count = 0
    max_connections: Positive = 2000
    header_timeout_s: Seconds = 10
    body_timeout_s: Seconds = 20  # of waiting; 1,000 bytes give back one second of it
    write_timeout_s: Seconds = 30  # for a client that does not read its answer
    web_threads: Positive = 128
    web_concurrency: Positive = 1  # web processes
    drain_s: Annotated[float, Field(ge=0)] = 5  # time for open replies after a request to stop
    start_gate: str = ""  # a file: the page answers once it is there; `make run` names one
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_address: str = "127.0.0.1"
    # for workers and beat; 0: no metrics. `make run` counts up from it, one port a process
    metrics_port: Annotated[int, Field(ge=0, le=65_000)] = 0

    # Flower
    flower_address: str = "127.0.0.1"
    flower_port: AnyPort = 5555
    flower_basic_auth: str = ""
    flower_url: str = ""  # where people find it; empty: /flower of this site
    flower_internal_url: OutgoingUrl = ""  # where web finds it; empty: FLOWER_PORT of this machine
    operators: Names = ()  # proxy: users; oidc: subjects; who may see /operations
    sharing: bool | None = None  # unset: where no proxy asks people who they are
    audit_addresses: bool = False  # the audit log holds clients' addresses

    @field_validator("operators")
    @classmethod
    def _normalize_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """To the form in which web/identity.py compares users' names."""
        return tuple(unicodedata.normalize("NFC", name) for name in names)

    @field_validator("local_token")
    @classmethod
    def _check_token(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value()
        if token not in {"", "off"} and not (
            len(token) >= SHORTEST_TOKEN and _TOKEN.fullmatch(token)
        ):
            raise ValueError(f"use at least {SHORTEST_TOKEN} letters, digits, - and _, or: off")
        return value

    @property
    def may_share(self) -> bool:
        """Whether chats may be shared by links that need no sign-in."""
        return self.auth_mode != "proxy" if self.sharing is None else self.sharing

    @property
    def takes_any_client_model(self) -> bool:
        """Many programs name a model of OpenAI's that cannot be changed."""
        return self.auth_mode == "local" if self.any_client_model is None else self.any_client_model

    @property
    def effective_trusted_hosts(self) -> tuple[str, ...]:
        """Host names that the site accepts; empty: any.

        A local site accepts local names only. This prevents DNS rebinding.
        """
        return self.trusted_hosts or (LOOPBACK if self.auth_mode == "local" else ())
