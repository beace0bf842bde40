"""A request's WSGI environment, from its ASGI scope."""

from __future__ import annotations

import sys
from collections.abc import Iterable, MutableMapping
from typing import Any, BinaryIO
from urllib.parse import unquote_to_bytes

Scope = MutableMapping[str, Any]
Environ = dict[str, Any]

UNPREFIXED = {"CONTENT_TYPE", "CONTENT_LENGTH"}
# Separators of the values of a repeated header. A NUL between two user names makes the result
# invalid, so it is refused. No header can contain a NUL itself.
SEPARATORS = {"HTTP_COOKIE": "; ", "HTTP_X_FORWARDED_USER": "\x00"}


def make_environ(scope: Scope, body: BinaryIO) -> Environ:
    """Strings are latin-1, as WSGI wants them: each character is one byte of the request."""
    path = unquote_to_bytes(scope["raw_path"]).decode("latin-1")
    query = scope["query_string"].decode("latin-1")
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    uri = scope["raw_path"].decode("latin-1") + (f"?{query}" if query else "")
    return {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_URI": uri,
        "RAW_URI": uri,
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **_header_variables(scope["headers"]),
    }


def _header_variables(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """A repeated header becomes one, with `SEPARATORS` or a comma between its values."""
    variables: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        name = name if name in UNPREFIXED else f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        separator = SEPARATORS.get(name, ",")
        variables[name] = f"{variables[name]}{separator}{value}" if name in variables else value
    return variables
