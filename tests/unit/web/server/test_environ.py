"""A request as WSGI sees it."""

from __future__ import annotations

import io
from typing import Any

import pytest

from shared.errors import InvalidRequestError
from web.identity.identification import read_name
from web.server.environ import make_environ


def environ_of(*headers: tuple[bytes, bytes], path: bytes = b"/", query: bytes = b"") -> Any:
    scope = {
        "method": "GET",
        "raw_path": path,
        "query_string": query,
        "http_version": "1.1",
        "scheme": "https",
        "server": ("127.0.0.1", 8000),
        "client": ("10.1.2.3", 4711),
        "headers": list(headers),
    }
    return make_environ(scope, io.BytesIO())


def test_a_path_is_decoded_into_bytes_that_look_like_latin_1() -> None:
    environ = environ_of(path=b"/c/gr%C3%BC%C3%9Fe%2Fx", query=b"q=%C3%BC")
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/c/grüße/x"
    assert environ["QUERY_STRING"] == "q=%C3%BC"
    assert environ["REQUEST_URI"] == "/c/gr%C3%BC%C3%9Fe%2Fx?q=%C3%BC"


def test_a_header_that_came_twice_is_one() -> None:
    environ = environ_of(
        (b"accept", b"text/html"), (b"accept", b"*/*"), (b"cookie", b"a=1"), (b"cookie", b"b=2")
    )  # fmt: skip
    assert environ["HTTP_ACCEPT"] == "text/html,*/*"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"


@pytest.mark.parametrize("names", [("ann", "bob"), ("ann", "ann"), ("", "ann"), ("ann", " ")])
def test_two_names_of_users_are_no_name(names: tuple[str, str]) -> None:
    environ = environ_of(*((b"x-forwarded-user", name.encode()) for name in names))
    with pytest.raises(InvalidRequestError):
        read_name(environ["HTTP_X_FORWARDED_USER"])


def test_type_and_length_have_names_of_their_own() -> None:
    environ = environ_of((b"content-type", b"application/json"), (b"content-length", b"7"))
    assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == ("application/json", "7")
    assert "HTTP_CONTENT_TYPE" not in environ


def test_who_asks_and_how_is_told() -> None:
    environ = environ_of()
    assert (environ["REMOTE_ADDR"], environ["wsgi.url_scheme"]) == ("10.1.2.3", "https")
