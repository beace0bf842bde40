"""How commands print results: sentences for people, or with `--json` one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add the option `--json`, as the argument `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def show(result: Mapping[str, object], lines: Iterable[str], *, as_json: bool) -> None:
    """Print `result`, or `lines` for people."""
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False))
        return
    for line in lines:
        click.echo(line)


def progress(label: str, length: int, *, as_json: bool = False) -> Any:
    """A bar on standard error, where a person looks at it; a context manager with `update`."""
    hidden = as_json or not sys.stderr.isatty()
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=hidden)
