"""Where each setting comes from, and what stands in `.env` that is none.

What is told of it can be pasted anywhere: of texts, which may be secrets, only that they are set,
and of a variable that is no setting only its line.
"""

from __future__ import annotations

import difflib
import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args, get_origin

from pydantic import SecretStr

from shared.settings.process_variables import NEEDED_BY, OF_SOME, OF_SYSTEM
from shared.settings.reading import Settings, variables_of
from shared.settings.value_files import SUFFIX

if TYPE_CHECKING:
    from dotenv.parser import Original

ENV_FILE = Path(".env")
OF_PROVIDERS = ("_API_KEY", "_API_BASE")
ALIKE = 0.85

#: "environment or .env": the file cannot be read. "running site": where it runs its services.
Source = Literal["default", "file", "environment", ".env", "environment or .env", "running site"]


@dataclass(frozen=True, kw_only=True)
class EnvFile:
    #: Whether the account of this process may read it, or there is none.
    is_readable: bool = True
    values: Mapping[str, str] = field(default_factory=dict)
    #: The line of each name.
    lines: Mapping[str, int] = field(default_factory=dict)
    #: Lines that are no `NAME=value`, and count for nothing.
    broken_lines: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Variables:
    """Read them before `.env` is put into the environment, where that is to be told apart."""

    environment: Mapping[str, str]
    env_file: EnvFile = EnvFile()

    @property
    def zone(self) -> str:
        """The time zone that TZ names. "": the system's."""
        return self.environment.get("TZ", "") or self.env_file.values.get("TZ", "")


@dataclass(frozen=True, kw_only=True)
class SettingSource:
    name: str
    value: str
    source: Source


def read_variables(path: Path = ENV_FILE) -> Variables:
    return Variables(environment=dict(os.environ), env_file=_read_env_file(path))


def read_env_text(text: str) -> EnvFile:
    from dotenv import dotenv_values
    from dotenv.parser import parse_stream

    bindings = list(parse_stream(io.StringIO(text)))
    values = dotenv_values(stream=io.StringIO(text))
    return EnvFile(
        values={name: value for name, value in values.items() if value is not None},
        lines={
            binding.key: _first_line(binding.original)
            for binding in bindings
            if binding.key is not None and binding.value is not None
        },
        broken_lines=tuple(
            _first_line(binding.original)
            for binding in bindings
            if binding.error or (binding.key is not None and binding.value is None)
        ),
    )


def list_sources(settings: Settings, variables: Variables) -> list[SettingSource]:
    return [
        SettingSource(
            name=name.upper(),
            value=_describe(name, value),
            source=_find_source(name, value, variables),
        )
        for name, value in sorted(settings)
    ]


def list_misspelt(variables: Variables) -> Iterator[tuple[str, str]]:
    """Variables that are nearly settings, each with the setting that is probably meant.

    Of the environment, which other programs share, only names of several words: not LOGLEVEL.
    """
    known = sorted(_known_names())
    shared = {name for name in variables.environment if "_" in name.strip("_")}
    for name in sorted(shared | variables.env_file.values.keys()):
        plain = name.upper().removesuffix(SUFFIX)
        if not _is_known(plain):
            for near in difflib.get_close_matches(plain, known, 1, ALIKE):
                yield name, near


def list_unknown_lines(variables: Variables) -> list[int]:
    """Lines of `.env` whose variable is none of the site's; a library may know it."""
    return sorted(
        line
        for name, line in variables.env_file.lines.items()
        if not _is_known(name.upper().removesuffix(SUFFIX)) and not name.startswith(tuple(OF_SOME))
    )


def _read_env_file(path: Path) -> EnvFile:
    try:
        return read_env_text(path.read_text("utf-8"))
    except FileNotFoundError:
        return EnvFile()
    except (OSError, UnicodeDecodeError):
        return EnvFile(is_readable=False)


def _first_line(original: Original) -> int:
    """The parser counts the empty lines before a line to it."""
    text = original.string
    return original.line + text[: len(text) - len(text.lstrip())].count("\n")


def _find_source(name: str, value: object, variables: Variables) -> Source:
    """Where a setting comes from: a file wins over the variable, and an empty variable is none."""
    here = {key.upper(): text for key, text in variables.environment.items() if text}
    there = {key.upper(): text for key, text in variables.env_file.values.items() if text}
    names = variables_of(name)
    if any(variable + SUFFIX in here or variable + SUFFIX in there for variable in names):
        return "file"
    for variable in names:
        if variable in here and not variables.env_file.is_readable:
            return "environment or .env"
        if variable in here and there.get(variable) != here[variable]:
            return "environment"
        if variable in there:
            return ".env"
    return "default" if value == Settings.model_fields[name].default else "running site"


def _describe(name: str, value: object) -> str:
    setting = Settings.model_fields[name]
    if isinstance(value, SecretStr):
        return "(set)" if value.get_secret_value() else "(not set)"
    if value is None or value in ("", ()):
        return "(not set)"
    is_choice = get_origin(setting.annotation) is Literal and value in get_args(setting.annotation)
    if not (isinstance(value, bool | int | float) or is_choice or value == setting.default):
        return "(set)"
    return ",".join(map(_write, value)) if isinstance(value, tuple) else _write(value)


def _write(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _known_names() -> frozenset[str]:
    names = {variable for name in Settings.model_fields for variable in variables_of(name)}
    return frozenset(names | set(NEEDED_BY))


def _is_known(plain: str) -> bool:
    return plain in _known_names() or plain.endswith(OF_PROVIDERS) or plain.startswith(OF_SYSTEM)
