"""Paths: the API's prefix, their parts, and rules that are quick to make.

A number that is too large to store is a 404.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from flask import Flask, Request
from werkzeug.exceptions import NotFound
from werkzeug.routing import IntegerConverter, Rule, UUIDConverter

from shared.models import ConversationId
from web.requests.queries import MAX_ID, MAX_NUMBER

#: `POST /chat` is served without it, too.
PREFIX = "/api/v1"


def is_api(request: Request) -> bool:
    """Whether errors are told as problems (RFC 9457), also at addresses that are not there."""
    return request.path.startswith("/api/")


class _BoundedPart(IntegerConverter):
    """A number that is too large is an address where nothing is, whatever the method."""

    regex = r"[0-9]{1,19}"
    most: int

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > self.most:
            raise NotFound("There is nothing here.")
        return number


class IntegerPart(_BoundedPart):
    """`<int:sequence>`: within Postgres's integer."""

    most = MAX_NUMBER


class BigintPart(_BoundedPart):
    """`<bigint:fact_id>`: within Postgres's bigint."""

    most = MAX_ID


class ConversationPart(UUIDConverter):
    """`<conversation:conversation_id>`: a `ConversationId`, in its one spelling."""

    def to_python(self, value: str) -> ConversationId:  # type: ignore[override]
        return ConversationId(str(super().to_python(value)))


class LazyRule(Rule):
    """Compiles the function that builds its address when it is first called.

    The site builds few addresses. To compile those of all rules would take most of the time in
    which an application is made.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compile_builder = super()._compile_builder

        @functools.cache
        def builder() -> Callable[..., tuple[str, str]]:
            return compile_builder(append_unknown)

        def build(rule: Rule, /, **values: object) -> tuple[str, str]:
            return builder()(rule, **values)

        return build


def prepare_routing(app: Flask) -> None:
    """Call it before the blueprints are registered."""
    app.url_rule_class = LazyRule
    app.url_map.converters |= {
        "int": IntegerPart,
        "bigint": BigintPart,
        "conversation": ConversationPart,
    }
