"""What is the same for everybody is made once, however many ask for it at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from web.pages.fixed_answers import ENCODINGS, FixedAnswer, Once

CROWD = 60
TEXT = b"The same for everybody. " * 1000


def respond(answer: FixedAnswer, **headers: str) -> tuple[int, dict[str, str], bytes]:
    http_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    with Flask(__name__).test_request_context(headers=http_headers):
        response = answer.respond("no-cache")
        return response.status_code, dict(response.headers), response.get_data()


def test_of_sixty_who_ask_at_once_one_makes_it_and_the_others_wait() -> None:
    keys: list[str] = []
    ready = threading.Barrier(CROWD)

    def make(key: str) -> object:
        keys.append(key)
        return object()

    once = Once(make)

    def ask(_: int) -> object:
        ready.wait()
        return once.get("key")

    with ThreadPoolExecutor(CROWD) as crowd:
        values = list(crowd.map(ask, range(CROWD)))
    assert keys == ["key"]
    assert len({id(value) for value in values}) == 1


def test_what_could_not_be_made_is_tried_again() -> None:
    failures = [ValueError("not yet")]

    def make(key: int) -> int:
        if failures:
            raise failures.pop()
        return key

    once = Once(make)
    with pytest.raises(ValueError, match="not yet"):
        once.get(1)
    assert once.get(1) == 1


@pytest.mark.parametrize("encoding", [*ENCODINGS, "identity", ""])
def test_a_client_that_has_it_is_told_so_in_each_encoding(encoding: str) -> None:
    answer = FixedAnswer(TEXT, "text/html")
    status, headers, content = respond(answer, Accept_Encoding=encoding)
    assert status == 200
    assert (headers.get("Content-Encoding") == encoding) == (len(content) < len(TEXT))
    again = respond(answer, Accept_Encoding=encoding, If_None_Match=headers["ETag"])
    assert again[0] == 304
    other = "gzip" if encoding == "br" else "br"
    assert respond(answer, Accept_Encoding=other, If_None_Match=headers["ETag"])[0] == 200


@pytest.mark.parametrize(("content", "mimetype"), [(b"short", "text/html"), (TEXT, "image/png")])
def test_what_would_not_become_smaller_is_sent_as_it_is(content: bytes, mimetype: str) -> None:
    _, headers, body = respond(FixedAnswer(content, mimetype), Accept_Encoding="br, gzip")
    assert "Content-Encoding" not in headers
    assert body == content


def test_another_content_has_another_etag() -> None:
    etags = {respond(FixedAnswer(text, "text/html"))[1]["ETag"] for text in (b"a", b"b", b"a")}
    assert len(etags) == 2
