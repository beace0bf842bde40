"""What operators may say of a model that they set up."""

from __future__ import annotations

import re
from dataclasses import replace

from shared.errors import InvalidRequestError, KeyNeededError, NameTakenError
from shared.llm.model_keys import seal_key
from shared.llm.model_probe import check_lookup
from shared.models.site_models import ModelConfig, StoredModel
from shared.policy.model_addresses import UnusableAddressError, check_address
from shared.policy.text import is_storable
from shared.settings import STAND_IN_MODEL, Settings
from web.api.patterns import PRINTABLE

OFFLINE = STAND_IN_MODEL.partition("/")[0]


def checked(config: ModelConfig) -> ModelConfig:
    """Raises `InvalidRequestError` for what is missing, or for an address that is not allowed."""
    _check_readable("served_name", config.served_name)
    if config.protocol == "litellm":
        if "://" in config.served_name:  # some of litellm's providers would call that address
            raise InvalidRequestError("served_name: names a model, and no address.")
        return replace(config, address=None)
    if config.address is None:
        raise InvalidRequestError("address: is missing.")
    try:
        address = check_address(config.address.strip())
    except UnusableAddressError as exc:
        raise InvalidRequestError(f"address: {exc}") from exc
    check_lookup(address)
    return replace(config, address=address)


def _check_readable(field: str, text: str) -> None:
    if not re.search(PRINTABLE, text) or not is_storable(text):
        raise InvalidRequestError(f"{field}: is empty, or holds characters that cannot be read.")


def check_name(name: str, settings: Settings) -> None:
    """Raises `NameTakenError` for a model of the environment."""
    _check_readable("name", name)
    names = {*settings.environment_models, settings.memory_model}
    if name.strip() in names or name.strip().startswith(f"{OFFLINE}/"):
        raise NameTakenError("The environment has a model of this name already.")


def check_key_stays(before: StoredModel, config: ModelConfig, api_key: str | None) -> None:
    """Refuse to send the stored key to another server: somebody could collect it there."""
    place = (before.config.protocol, before.config.address)
    provider = before.config.served_name.partition("/")[0]
    moves = (config.protocol, config.address) != place or (
        config.protocol == "litellm" and config.served_name.partition("/")[0] != provider
    )
    if moves and before.sealed_key is not None and api_key is None:
        raise KeyNeededError


def check_key(api_key: str | None) -> None:
    """Raises `InvalidRequestError` for what cannot stand in a header."""
    if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise InvalidRequestError("api_key: holds characters that no key has.")


def seal_checked(api_key: str | None, settings: Settings) -> bytes | None:
    """Encrypt a key for the database. None: there is no key."""
    check_key(api_key)
    return seal_key(api_key, settings) if api_key else None
