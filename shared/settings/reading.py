"""Reads the settings from the environment."""

from __future__ import annotations

import functools

from pydantic import AliasChoices, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from shared.policy.retry import LONGEST_LEASE_S
from shared.settings.accounts import AccountSettings
from shared.settings.memory import MemorySettings
from shared.settings.models import ModelSettings
from shared.settings.services import ServiceSettings
from shared.settings.site import SiteSettings
from shared.settings.tracing import TracingSettings
from shared.settings.types import LOOPBACK, SettingsError
from shared.settings.value_files import FileSource


class Settings(
    SiteSettings, AccountSettings, ServiceSettings, MemorySettings, ModelSettings, TracingSettings
):
    """All settings. Frozen once read."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then files that the environment names, then the environment itself."""
        return init_settings, FileSource(settings_cls), env_settings

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
        if self.lease_s >= LONGEST_LEASE_S or self.dispatch_grace_s * 8 >= LONGEST_LEASE_S:
            raise ValueError("LEASE_S must be below an hour, SWEEP_EVERY_S below 225 seconds.")
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
    def effective_memory_max_calls(self) -> int:
        """The most calls to memory's model at once: 4, or 1 to a server with an address.

        A small server has two slots, of which one is left to replies.
        """
        return self.memory_max_calls or (1 if self.memory_has_own_server else 4)

    @property
    def effective_memory_model(self) -> str:
        """An operator's choice, else MEMORY_MODEL, else the model for replies."""
        chosen = (model.name for model in self.site_models if model.config.is_memory_default)
        return next(chosen, self.memory_model or self.chat_model)

    @property
    def memory_has_own_server(self) -> bool:
        """Whether memory's model is at an address that was named here, where capacity is small."""
        model = self.find_site_model(self.effective_memory_model)
        return bool(model.config.address if model else self.llm_api_base)


def variables_of(name: str) -> list[str]:
    """The variables of a setting, in the order in which they are read."""
    alias = Settings.model_fields[name].validation_alias
    names = alias.choices if isinstance(alias, AliasChoices) else [name]
    return [str(variable).upper() for variable in names]


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
