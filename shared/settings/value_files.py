"""Values that stand in files, such as secrets: `NAME_FILE` names the file that has NAME's value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import load_dotenv
from pydantic import AliasChoices
from pydantic_settings import BaseSettings, EnvSettingsSource

from shared.settings.types import SettingsError

SUFFIX = "_FILE"
# Read from the environment by libraries: litellm's keys of providers, Flower's password.
LIBRARIES = ("_API_KEY", "FLOWER_BASIC_AUTH")


def load_env_file(path: Path) -> None:
    """Add the variables of an `.env` to the environment. Raises `SettingsError`."""
    if not path.is_file():
        return
    try:
        load_dotenv(path)
    except (OSError, UnicodeDecodeError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8"
        raise SettingsError(f"{path} cannot be read: {reason}") from exc


class FileSource(EnvSettingsSource):
    """Reads every setting whose `NAME_FILE` is set. Raises `SettingsError`."""

    def __call__(self) -> dict[str, object]:
        """The values. The parent looks at each setting, which takes milliseconds."""
        return super().__call__() if self.env_vars else {}

    def _load_env_vars(self) -> Mapping[str, str | None]:
        variables = {name.upper(): value for name, value in super()._load_env_vars().items()}
        paths = {name: variables.get(name + SUFFIX) for name in _list_names(self.settings_cls)}
        texts = {name: _read(name, path, variables) for name, path in paths.items() if path}
        return {name.lower(): text for name, text in texts.items() if text}


def publish_files() -> None:
    """Put what files hold into this process's environment, for libraries that read that alone."""
    for variable, path in list(os.environ.items()):
        name = variable.removesuffix(SUFFIX)
        if path and name != variable and name.endswith(LIBRARIES):
            text = _read(name, path, os.environ)
            if text:
                os.environ[name] = text


def _list_names(settings: type[BaseSettings]) -> set[str]:
    """Variables of all settings, with the other names that a setting may have."""
    aliases = [field.validation_alias for field in settings.model_fields.values()]
    others = [alias.choices for alias in aliases if isinstance(alias, AliasChoices)]
    names = {str(name) for choices in others for name in choices} | set(settings.model_fields)
    return {name.upper() for name in names}


def _read(name: str, path: str, variables: Mapping[str, str | None]) -> str:
    text = _read_text(name, path)
    if variables.get(name) not in {None, "", text}:
        raise SettingsError(f"{name} and {name}{SUFFIX} are both set: remove one of them.")
    return text


def _read_text(name: str, path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8"
        raise SettingsError(f"{name}{SUFFIX}: cannot read {path}: {reason}") from exc
