"""Requests of Authlib's to the provider, by our own client: bounded in bytes and in time."""

from __future__ import annotations

import functools
import io
import ssl
from typing import Any

import httpx
from authlib.integrations.requests_client import OAuth2Session
from requests import ConnectionError as RequestsConnectionError
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter

from shared.outbound.bounded_answers import watch_answers
from shared.outbound.connections import Bounds, bounded_call

TIMEOUT_S = 10.0
MAX_BYTES = 1_000_000  # a description, keys or tokens take some ten thousand
BOUNDS = Bounds(whole_bytes=MAX_BYTES, event_bytes=MAX_BYTES, stream_bytes=MAX_BYTES)


class ProviderSession(OAuth2Session):  # type: ignore[misc]
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for scheme in ("http://", "https://"):
            self.mount(scheme, BoundedAdapter())


class BoundedAdapter(BaseAdapter):
    def send(  # type: ignore[override]  # the session names all but the request
        self, request: PreparedRequest, *, verify: bool | str = True, **_: Any
    ) -> Response:
        """One request, without redirects: those are the session's. `verify` may name a file."""
        content: Any = request.body
        try:
            with bounded_call(BOUNDS, TIMEOUT_S):
                answer = _client(verify).request(
                    request.method or "GET",
                    request.url or "",
                    headers=[(name, str(value)) for name, value in request.headers.items()],
                    content=content,
                )
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as exc:
            raise RequestsConnectionError(type(exc).__name__, request=request) from exc
        return _response(request, answer)

    def close(self) -> None:
        """The client is the process's."""


@functools.cache
def _client(verify: bool | str) -> httpx.Client:
    watch_answers()
    context = ssl.create_default_context(cafile=verify) if isinstance(verify, str) else verify
    return httpx.Client(verify=context, timeout=TIMEOUT_S)


def _response(request: PreparedRequest, answer: httpx.Response) -> Response:
    response = Response()
    response.status_code = answer.status_code
    response.headers.update(answer.headers)
    response.encoding = answer.encoding
    response.raw = io.BytesIO(answer.content)
    response.url = request.url or ""
    response.request = request
    return response
