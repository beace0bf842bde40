"""Operations: views whose arguments are checked and whose answers are written by models.

The models are read from the view's own annotations. `form` is the body, `query` the arguments
after `?`; all other arguments are parts of the path. What the view returns becomes the answer:
an `Answer`, one with a status, None (204), or a response that the view has made itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin, get_type_hints

from flask import jsonify, request
from pydantic import BaseModel

from shared.errors import ConflictError, KeyReusedError, ThroughlineError
from web.api.answers import Answer
from web.api.idempotency import answer_once
from web.requests.forms import StrictForm, read_form
from web.requests.queries import Query, read_query

View = Callable[..., Any]
#: What a request with an Idempotency-Key may be answered.
KEY_ERRORS = (ConflictError, KeyReusedError)


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What the document says about a view beside its address, its scopes and its docstring."""

    #: The model of the body. None: no body is read.
    form: type[StrictForm] | None
    query: type[Query]
    #: The model of the answer. None: there is no body, or it is no JSON.
    answer: type[Answer] | None
    #: Statuses of success.
    statuses: tuple[int, ...]
    #: Errors beside those of every operation.
    raises: tuple[type[ThroughlineError], ...] = ()
    #: Whether it takes an Idempotency-Key.
    takes_key: bool = False
    #: Other types of the answer, each with its description.
    other_types: Mapping[str, str] = field(default_factory=dict)
    #: Headers of a successful answer, each with its description.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: A body that is described only: it is read piece by piece.
    raw_body: type[BaseModel] | None = None
    #: The body is a file, of any type.
    takes_file: bool = False

    @property
    def has_body(self) -> bool:
        return bool(self.form or self.raw_body or self.takes_file)


def operation(
    *statuses: int,
    raises: tuple[type[ThroughlineError], ...] = (),
    once: bool = False,
    **more: Any,
) -> Callable[[View], View]:
    """Make a view an operation. `statuses` are those of success, 200 if none is given.

    `once`: it creates something, and does so once for each Idempotency-Key.
    """

    def declare(view: View) -> View:
        hints = get_type_hints(view)
        described = {
            "form": hints.get("form"),
            "query": hints.get("query", Query),
            "answer": _answer_of(hints["return"]),
            "statuses": statuses or (200,),
            "raises": raises,
        }
        described |= {"takes_key": True, "raises": (*raises, *KEY_ERRORS)} if once else {}
        declaration = Operation(**(described | more))

        @functools.wraps(view)
        def answer(**parts: Any) -> Any:
            query = read_query(request, declaration.query)
            parts |= {"query": query} if "query" in hints else {}
            parts |= {"form": read_form(request, declaration.form)} if declaration.form else {}
            if once:
                return answer_once(lambda: write_answer(view(**parts)))
            return write_answer(view(**parts))

        answer.operation = declaration  # type: ignore[attr-defined]
        return answer

    return declare


def operation_of(view: View) -> Operation | None:
    return getattr(view, "operation", None)


def write_answer(result: Any) -> Any:
    body, *status = result if isinstance(result, tuple) else (result,)
    if body is None:
        return "", 204
    if isinstance(body, Answer):
        body = jsonify(body.as_json())
    return (body, *status) if status else body


def _answer_of(returned: Any) -> type[Answer] | None:
    first = get_args(returned)[0] if get_origin(returned) is tuple else returned
    return first if isinstance(first, type) and issubclass(first, Answer) else None
