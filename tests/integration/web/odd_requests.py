"""Requests that nobody in their right mind sends, made from the application's own map of addresses.

The same seed makes the same requests. A new endpoint is covered without a word here; a new
argument or field only gets values once it is named below.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

from werkzeug.routing import Map, Rule

TEXTS = (
    "",
    " ",
    "\x00",
    "a",
    "-" * 200,
    "'; DROP TABLE messages; --",
    '" OR ""="',
    "%",
    "_%_",
    "\\",
    "%s%n{0}{{7*7}}${x}",
    "../../../etc/passwd",
    "<script>alert(1)</script></memory>",
    "Max.Mustermann@example.com",
    "\u202eevil\u202c \u200d🏳️\u200d🌈",
    "ﷺ" * 400,
    "Ω≈ç√∫" * 50,
    "東京タワー " * 40,
    "\ud83d",
    "\ufeff\u2028\u2029",
    "null",
    "NaN",
    "> " * 2000,
    "_a_" * 2000,
    "𝒳" * 5000,
    "\n" * 3000,
    "or and not ( ) ! & | :* <->",
)
NUMBERS: tuple[object, ...] = (
    -1, 0, 1, 2, 3, 200, 201, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**40, 1.5, -0.0, 1e308,
    "007", "１２", "٣", "1_000", "0x10", "9" * 5000, "1e3", "+5",
)  # fmt: skip
INSTANTS = (
    "2026-01-01",
    "2026-01-01T00:00:00+16:00",
    "2026-01-01T00:00:00-23:59",
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59.999999+14:00",
    "0001-01-01T00:00:00+14:00",
    "12026-01-01",
    "2026-13-45",
    "20260101T000000Z",
    "2026-W01-1",
    "2026-01-01T24:00:00",
    "now",
)
ARGUMENTS = (
    "q", "limit", "before", "after", "around", "as_of", "category", "include", "conversation_id",
    "cursor", "kind", "mode", "dry_run", "everywhere", "time_zone", "days", "status", "token",
    "with_facts", "with_mentions", "with_replies", "webhook_id", "last_event_id", "wait",
)  # fmt: skip
FIELDS = (
    "message", "conversation_id", "agent", "mode", "stream", "title", "category", "key", "value",
    "importance", "time_zone", "everywhere", "dry_run", "confirm", "name", "scopes",
    "expires_in_days",
    "url", "event_types", "with_text", "enabled",
)  # fmt: skip
WORDS = (
    "active", "passive", "off", "general", "identity", "preference", "history", "summary", "facts",
    "true", "Europe/Lisbon", "Hello",
)  # fmt: skip
ODD_TOKENS = (
    "Bearer tl_",
    "Bearer tl_" + "A" * 43,
    "Bearer tl_" + "\xff" * 43,
    "Bearer tl_" + "A" * 5000,
    "bearer  tl_'; DROP TABLE api_tokens; --",
)
HEADERS: dict[str, Sequence[str]] = {
    "Origin": ("http://[", "null", "http://evil.example", "//", "http://localhost", "\xff"),
    "Referer": ("http://[::1", "javascript:alert(1)", ""),
    "Idempotency-Key": ("k", "", "x" * 256, "\x7f", "schlüssel", "same"),
    "Last-Event-ID": ("1-1", "-1--1", "9" * 400 + "-1", "a-b", "", "0-99999999999999999999"),
    "Content-Type": ("text/plain", "application/json; charset=latin-1", "", "multipart/form-data"),
    "Accept-Encoding": ("gzip, br;q=x", "*", "identity;q=0"),
    "Authorization": (
        "Bearer ",
        "Basic !!!",
        "Bearer \xe4",
        "Basic " + "A" * 5000,
        "Basic \xe4",
        *ODD_TOKENS,
    ),
    "X-Forwarded-User": ("Zoë", "a" * 5000, "\xff\xfe"),
    "X-Forwarded-For": ("::1", "not an address", "1.1.1.1, 2.2.2.2"),
    "Cookie": ("a=b; " * 100, "=", "session=é"),
    "If-None-Match": ("*", '"x', "W/"),
    "Range": ("bytes=0-", "bytes=-1", "bytes=5-2", "lines=1"),
    "X-Time-Zone": ("Mars/Olympus", "../../etc", "Europe/Lisbon", "\xff"),
}


# They wait for the answers of workers: asked in every tenth turn.
SLOW = ("/api/v1/operations/workers", "/api/v1/operations/doctor")


@dataclass(frozen=True, kw_only=True)
class OddRequest:
    """`headers` are as they go over the wire; `body` is None where there is none."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path[:300]} {self.headers} {(self.body or b'')[:300]!r}"


class OddRequests:
    """`known` are ids that exist: of conversations, and numbers of facts and episodes."""

    def __init__(self, url_map: Map, seed: int, known: Callable[[], Sequence[str]]) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the same ones each time
        self._known = known
        self._rules = [
            (rule, method)
            for rule in url_map.iter_rules()
            for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"})
        ]

    def __iter__(self) -> Iterator[OddRequest]:
        """Without end, every endpoint in its turn."""
        for turn in count():
            for rule, method in self._rules:
                if rule.rule not in SLOW or turn % 10 == 0:
                    yield self._make(rule, method)

    def _make(self, rule: Rule, method: str) -> OddRequest:
        body = self._body() if method in {"POST", "PATCH", "PUT"} else None
        headers = {name: self._pick(HEADERS[name]) for name in self._some(list(HEADERS), 2)}
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        path = "".join(self._part(is_dynamic, text) for is_dynamic, text in rule._trace)
        query = urlencode(
            {name: self._value(name) for name in self._some(ARGUMENTS, 3)},
            errors="surrogatepass",
        )
        path = path.partition("|")[2] if "|" in path else path
        return OddRequest(
            method=method, path=f"{path}?{query}" if query else path, headers=headers, body=body
        )

    def _part(self, is_dynamic: bool, text: str) -> str:
        """One piece of a rule's address: as it stands, or a value for the argument it names."""
        return self._segment(text) if is_dynamic else text

    def _segment(self, name: str) -> str:
        if name.endswith("_id") and self._random.random() < 0.6:
            return quote(self._pick(self._known()) or "1")
        if self._random.random() < 0.5:
            return quote(str(self._pick(NUMBERS)), safe="")
        return quote(self._pick((*TEXTS[3:18], str(uuid4()), *WORDS)), safe="", errors="replace")

    def _value(self, name: str) -> str:
        if name in {"as_of", "before", "after"} and self._random.random() < 0.5:
            return self._pick(INSTANTS)
        return str(self._pick(self._pick((TEXTS, NUMBERS, WORDS, self._known() or WORDS))))

    def _body(self) -> bytes:
        return self._pick((self._form, self._form, self._form, self._broken))()

    def _form(self) -> bytes:
        """Fields that may be known, with values that may fit."""
        form = {name: self._json(name) for name in self._some(FIELDS, 4)}
        if self._random.random() < 0.5:
            form["message"] = self._pick((*TEXTS, *WORDS))
        return json.dumps(form).encode()

    def _json(self, name: str) -> Any:
        known = self._known()
        if name == "conversation_id" and known:
            return self._pick(known)
        values: tuple[Any, ...] = (None, True, False, [], {}, {"a": [1]}, *NUMBERS, *TEXTS, *WORDS)
        return self._pick(values)

    def _broken(self) -> bytes:
        return self._pick(
            (
                b"",
                b"{",
                b"[]",
                b"null",
                b'"text"',
                b"\xff\xfe\x00",
                b'{"message": "\\ud83d"}',
                b'{"message": "' + b"\\ud83d\\ude00" * 2000 + b'"}',
                b'{"message": ' + b"9" * 5000 + b"}",
                b"[" * 5000,
                b'{"message":' * 2000,
                b'{"message": "a", "message": "b"}',
                b'{"message": NaN}',
                b"%PDF-1.4",
                b"PK\x03\x04",
                b'[{"title": 1, "messages": [{"role": "System", "content": 5}]}]',
                b'[{"mapping": {"a": {"parent": "a", "children": ["a"]}}, "current_node": "a"}]',
            )
        )

    def _some(self, names: Sequence[str], most: int) -> list[str]:
        return self._random.sample(list(names), self._random.randint(0, most))

    def _pick(self, values: Sequence[Any]) -> Any:
        return self._random.choice(values) if values else ""
