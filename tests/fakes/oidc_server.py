"""A provider of OpenID Connect that tells what a test wants, true or false."""

from __future__ import annotations

import base64
import functools
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT_ID = "throughline"
Forge = Callable[["FakeProvider", dict[str, Any]], str]


@functools.cache
def make_key() -> RSAKey:
    """Once in a process: it takes a tenth of a second."""
    return RSAKey.generate_key(2048, {"kid": "one"})


@dataclass
class FakeProvider:
    """`claims` replace the true ones; None leaves one out. `forge` makes the ID token."""

    port: int = 0
    key: RSAKey = field(default_factory=make_key)
    #: What the last request at the authorization endpoint would have brought.
    nonce: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    forge: Forge | None = None
    algorithms: tuple[str, ...] = ("RS256",)
    issuer_says: str | None = None
    #: Whether it announces that it names itself when it sends browsers back (RFC 9207).
    announces_issuer: bool = False
    #: What came to the token endpoint.
    form: dict[str, str] = field(default_factory=dict)

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer_says or self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/end",
            "id_token_signing_alg_values_supported": list(self.algorithms),
            "authorization_response_iss_parameter_supported": self.announces_issuer,
        }

    def token(self) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": self.issuer, "sub": "subject-1", "aud": CLIENT_ID, "nonce": self.nonce,
            "iat": now, "exp": now + 300, "preferred_username": "Ada", "email": "ada@example.org",
        } | self.claims  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        forge = self.forge or sign
        return {"access_token": "x", "token_type": "Bearer", "id_token": forge(self, claims)}


def sign(provider: FakeProvider, claims: dict[str, Any]) -> str:
    return jwt.encode({"alg": "RS256", "kid": "one"}, claims, provider.key)


def sign_with_another_key(_: FakeProvider, claims: dict[str, Any]) -> str:
    other = RSAKey.generate_key(2048, {"kid": "one"})
    return jwt.encode({"alg": "RS256", "kid": "one"}, claims, other)


def leave_unsigned(_: FakeProvider, claims: dict[str, Any]) -> str:
    return f"{_encode({'alg': 'none'})}.{_encode(claims)}."


def sign_with_the_public_key(provider: FakeProvider, claims: dict[str, Any]) -> str:
    """As if the public key were a shared secret (algorithm confusion)."""
    text = f"{_encode({'alg': 'HS256', 'kid': 'one'})}.{_encode(claims)}"
    secret = provider.key.as_pem(private=False)
    return f"{text}.{_base64(hmac.digest(secret, text.encode(), 'sha256'))}"


def _encode(part: dict[str, Any]) -> str:
    return _base64(json.dumps(part).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def tear(provider: FakeProvider, claims: dict[str, Any]) -> str:
    return sign(provider, claims)[:-10]


@contextmanager
def running_provider() -> Iterator[FakeProvider]:
    provider = FakeProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            keys = KeySet([provider.key]).as_dict(private=False)
            self._answer(provider.description() if "openid" in self.path else keys)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            provider.form = {name: values[0] for name, values in parse_qs(body).items()}
            self._answer(provider.token())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def _answer(self, body: object) -> None:
            text = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
