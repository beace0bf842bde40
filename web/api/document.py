"""The OpenAPI document: written from the map of addresses and the operations' own models."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema
from werkzeug.routing import Rule

from web.api.answers import Page
from web.api.descriptions import INFO, PATH_PARAMETERS, TAGS
from web.api.errors import describe_failures, list_failures, problem_schemas
from web.api.operation import Operation, operation_of
from web.requests.callers import scopes_of
from web.requests.forms import MAX_KEY_CHARS
from web.requests.routing import PREFIX

Json = dict[str, Any]
REF = "#/components/schemas/{model}"
ENDPOINT = "v1."
BINARY = "application/octet-stream"
REQUEST_ID = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
_PART = re.compile(r"<(?:(\w+):)?(\w+)>")


def write_document(app: Flask, cookie: str) -> Json:
    """`cookie` is the name of the session's cookie, which depends on the site's port."""
    operations = list(list_operations(app))
    refs, schemas = _list_schemas([operation for _, _, operation in operations])
    paths: dict[str, Json] = {}
    for rule, view, operation in operations:
        path = _PART.sub(r"{\2}", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            paths.setdefault(path, {})[method.lower()] = _describe(rule, view, operation, refs)
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "tags": TAGS,
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": schemas | problem_schemas() | {"ServerSentEvent": SERVER_SENT_EVENT},
            "responses": describe_failures((rule, operation) for rule, _, operation in operations),
            "headers": HEADERS,
            "securitySchemes": _security_schemes(cookie),
        },
    }


def list_operations(app: Flask) -> Iterator[tuple[Rule, Callable[..., Any], Operation]]:
    """The operations under `/api/v1`."""
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        operation = operation_of(view)
        if rule.rule.startswith(f"{PREFIX}/") and operation is not None:
            yield rule, view, operation


def _describe(
    rule: Rule, view: Callable[..., Any], operation: Operation, refs: dict[Any, Json]
) -> Json:
    summary, _, more = inspect.cleandoc(view.__doc__ or "").partition("\n\n")
    scopes = sorted(scopes_of(view) or ())
    described: Json = {
        "operationId": view.__name__,
        "tags": [rule.endpoint.split(".")[1]],
        "summary": " ".join(summary.split()),
        "parameters": _parameters(rule, operation),
        "responses": _responses(rule, view, operation, refs),
        "security": [{"token": scopes}, {"session": scopes}],
    }
    if more:
        described["description"] = " ".join(more.split())
    body = operation.form or operation.raw_body
    if body is not None:
        content = {"application/json": {"schema": refs[body, "validation"]}}
        described["requestBody"] = {"required": True, "content": content}
    if operation.takes_file:
        described["requestBody"] = {"required": True, "content": {BINARY: {"schema": {}}}}
    return described


def _parameters(rule: Rule, operation: Operation) -> list[Json]:
    parts = [
        {"name": name, "in": "path", "required": True, **PATH_PARAMETERS[name]}
        for _, name in _PART.findall(rule.rule)
    ]
    return [*parts, *_arguments(operation), *([KEY_HEADER] if operation.takes_key else [])]


def _arguments(operation: Operation) -> Iterator[Json]:
    schema = operation.query.model_json_schema()
    for name, field in operation.query.model_fields.items():
        if not field.exclude:
            argument = dict(schema["properties"][name])
            described: Json = {"name": name, "in": "query", "required": field.is_required()}
            if "description" in argument:
                described["description"] = argument.pop("description")
            yield described | {"schema": _without_null(argument)}


def _without_null(schema: Json) -> Json:
    """An argument that is left out is not null: there is no null in an address."""
    schema = {name: value for name, value in schema.items() if name not in {"title", "default"}}
    kinds = [kind for kind in schema.pop("anyOf", []) if kind != {"type": "null"}]
    return (kinds[0] | schema) if kinds else schema


def _responses(
    rule: Rule, view: Callable[..., Any], operation: Operation, refs: dict[Any, Json]
) -> Json:
    content: Json = {kind: {"schema": SCHEMAS[kind]} for kind in operation.other_types}
    if operation.answer is not None:
        content["application/json"] = {"schema": refs[operation.answer, "serialization"]}
    headers: Json = {
        name: {"description": text, "required": True, "schema": {"type": "string"}}
        for name, text in operation.headers.items()
    }
    if operation.takes_key:
        headers["Idempotent-Replayed"] = {"$ref": "#/components/headers/IdempotentReplayed"}
    description = " ".join(" ".join(text.split()) for text in operation.other_types.values())
    success: Json = {"headers": REQUEST_ID | headers}
    if content:
        success["content"] = content
    if operation.answer and issubclass(operation.answer, Page):
        success["links"] = {"NextPage": _next_page(rule, view, operation)}
    answers: Json = {
        str(status): {"description": description or DONE[status], **success}
        for status in sorted(operation.statuses)
    }
    return answers | list_failures(rule, operation)


def _next_page(rule: Rule, view: Callable[..., Any], operation: Operation) -> Json:
    """The same list with the same filters, from its `next_cursor` on."""
    parts = {name: f"$request.path.{name}" for _, name in _PART.findall(rule.rule)}
    return {
        "operationId": view.__name__,
        "parameters": parts | {"cursor": "$response.body#/next_cursor"},
        "description": "The next page, with the same filters; there is none if the cursor is null.",
    }


def _list_schemas(operations: list[Operation]) -> tuple[dict[Any, Json], Json]:
    bodies: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {}
    for operation in operations:
        for body in (operation.form, operation.raw_body):
            if body is not None:
                bodies[body, "validation"] = None
        if operation.answer is not None:
            bodies[operation.answer, "serialization"] = None
    refs, definitions = models_json_schema(list(bodies), ref_template=REF)
    return refs, definitions.get("$defs", {})


def _security_schemes(cookie: str) -> Json:
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token, or the token of one's own site. An operation names the "
            "scopes that a token needs.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie,
            "description": "The session of a browser. It has all scopes.",
        },
    }


KEY_HEADER: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same key, the same request is not carried out twice.",
    "schema": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_KEY_CHARS,
        "pattern": "^[!-~]+$",
    },
}
DONE = {200: "Done.", 201: "It is made.", 202: "It will be done.", 204: "Done; nothing to say."}
#: Schemas of answers that no model writes.
SCHEMAS: Json = {
    "application/json": {"type": "object"},
    "text/markdown": {"type": "string"},
    "text/plain": {"type": "string"},
    "image/png": {},
    "image/jpeg": {},
    BINARY: {},
    "text/event-stream": {"$ref": "#/components/schemas/ServerSentEvent"},
}
SERVER_SENT_EVENT: Json = {
    "type": "object",
    "description": "One event of the stream. `data` is JSON.",
    "required": ["id", "event", "data"],
    "properties": {
        "id": {"type": "string"},
        "event": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}
HEADERS: Json = {
    "RequestId": {
        "description": "The id of this request in the site's log.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RetryAfter": {
        "description": "Seconds to wait before another try.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "IdempotentReplayed": {
        "description": "`true`: this is the answer to an earlier request with the same key.",
        "schema": {"type": "string", "const": "true"},
    },
}
