"""The site: addresses, limits, quotas, logs."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator

from shared.settings.processes import WEB, ForProcesses
from shared.settings.types import (
    LOOPBACK,
    Address,
    AnyPort,
    Count,
    Group,
    Names,
    Networks,
    OutgoingUrl,
    Positive,
)

SHORTEST_TOKEN = 12  # characters, of a token that a person chooses
OTHER_THREADS = 32
LEAST_ROUNDS = 3  # of one user at a time, on a small site
OTHER_FOLLOWERS = 20  # open pages, each with a stream of events
_TOKEN = re.compile(r"[A-Za-z0-9_-]+")


class SiteSettings(Group):
    # Site
    bind: str = "127.0.0.1"
    port: AnyPort = 8000
    data_dir: Path = Path(".data")
    auth_mode: Literal["local", "password", "oidc", "proxy"] = "local"
    # empty: made at the first start; "off": none
    local_token: Annotated[SecretStr, ForProcesses(WEB)] = SecretStr("")
    trusted_proxies: Networks = ()
    trusted_hosts: Names = ()
    import_max_bytes: Positive = 1024**3
    attachment_max_bytes: Annotated[int, Field(gt=0, le=100 * 1024**2)] = 10 * 1024**2
    cors_origins: Names = ()  # whose pages may use /v1, with a token
    # an OpenAI client's unknown model is answered by the default; unset: in local mode
    any_client_model: bool | None = None
    max_live_rounds: Positive = 48
    # Of one user, in all processes; 0: no quota. Days are of UTC.
    quota_rounds_per_day: Count = 0
    quota_tokens_per_day: Count = 0
    quota_searches_per_day: Count = 0
    quota_storage_bytes: Count = 0
    web_concurrency: Positive = 1  # web processes
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    # of workers and beat, as host:port; unset: none. `make run` counts up from the port
    metrics_address: Address | None = None

    # Flower
    flower_port: AnyPort = 5555
    flower_basic_auth: Annotated[str, ForProcesses(WEB | {"flower"})] = ""
    flower_internal_url: OutgoingUrl = ""  # where web finds it; empty: FLOWER_PORT of this machine
    operators: Names = ()  # proxy: users; oidc: subjects; who may see /operations
    sharing: bool | None = None  # unset: where no proxy asks people who they are
    audit_addresses: bool = False  # the audit log holds clients' addresses

    @field_validator("operators")
    @classmethod
    def _normalize_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """To the form in which web/identity/identification.py compares users' names."""
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

    def names_operator(self, user_id: str) -> bool:
        """Whether the settings make the user an operator. On a local site the one user is."""
        return self.auth_mode == "local" or user_id in self.operators

    @property
    def may_share(self) -> bool:
        """Whether chats may be shared by links that need no sign-in."""
        return self.auth_mode != "proxy" if self.sharing is None else self.sharing

    @property
    def takes_any_client_model(self) -> bool:
        """Whether a client's unknown model is answered by the default.

        Many programs name a model of OpenAI's that cannot be changed.
        """
        return self.auth_mode == "local" if self.any_client_model is None else self.any_client_model

    @property
    def max_live_rounds_per_user(self) -> int:
        """The most rounds of one user at once: a quarter, so that nobody takes all places."""
        return max(LEAST_ROUNDS, self.max_live_rounds // 4)

    @property
    def max_followers_per_user(self) -> int:
        """Streams of replies and events that one user may follow, in all processes together."""
        return self.max_live_rounds_per_user + OTHER_FOLLOWERS

    @property
    def web_threads(self) -> int:
        """The threads of a web process.

        A message waits in one, sent for the first time or again. The others answer all other
        requests. Waiting for a client takes no thread.
        """
        return 2 * self.max_live_rounds + OTHER_THREADS

    @property
    def effective_trusted_hosts(self) -> tuple[str, ...]:
        """Host names that the site accepts; empty: any.

        A local site accepts local names only. This prevents DNS rebinding.
        """
        return self.trusted_hosts or (LOOPBACK if self.auth_mode == "local" else ())
