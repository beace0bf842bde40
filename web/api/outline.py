"""The document's operations by group, references resolved, for the page that shows them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def group_operations(document: Json) -> list[Json]:
    """The tags in their order, each with its `operations`. An operation knows its address."""
    operations = [
        _resolve_operation(document, path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return [
        tag
        | {
            "operations": [
                operation for operation in operations if tag["name"] in operation["tags"]
            ]
        }
        for tag in document["tags"]
    ]


def name_schema(schema: Json) -> str:
    """A schema in a few words: `string`, `array of Fact`, `integer or null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(name_schema(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(option) for option in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    kind = str(schema.get("type", "any"))
    if kind == "array":
        return f"array of {name_schema(schema.get('items', {}))}"
    return f"{kind} ({schema['format']})" if "format" in schema else kind


def _resolve_operation(document: Json, path: str, method: str, operation: Json) -> Json:
    """Responses with their descriptions and types; the body's schema, if there is one."""
    responses = {
        status: _follow(document, response) for status, response in operation["responses"].items()
    }
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return operation | {
        "path": path,
        "method": method.upper(),
        "body": body and body["schema"],
        "responses": responses,
        "scopes": operation["security"][0]["token"],
    }


def _follow(document: Json, thing: Json) -> Json:
    """What a reference into the document refers to; anything else is itself."""
    if "$ref" not in thing:
        return thing
    target: Any = document
    for step in thing["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return dict(target)
