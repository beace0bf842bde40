"""Requests that differ from HTTP in their bytes: lines, headers, lengths, chunks, and what follows.

The same seed makes the same requests. Wherever a body is, or might be, another request is hidden in
it: `HIDDEN` is one that would leave a conversation of the user `HIDDEN_USER`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence

HIDDEN_USER = "mallory"
SAID = json.dumps({"message": "I was never sent."}).encode()
HIDDEN = (
    b"POST /chat HTTP/1.1\r\nHost: site\r\nContent-Type: application/json\r\n"
    b"X-Forwarded-User: %b\r\nContent-Length: %d\r\n\r\n%b"
    % (HIDDEN_USER.encode(), len(SAID), SAID)
)

METHODS = (
    b"POST",
    b"GET", b"HEAD", b"OPTIONS", b"PUT", b"PATCH", b"DELETE", b"TRACE", b"CONNECT", b"PROPFIND",
    b"get", b"G\x00T", b"", b"GET\t", b"X" * 300, b"PRI",
)  # fmt: skip
TARGETS = (
    b"/chat", b"/", b"/healthz", b"/api/v1/status", b"/api/v1/conversations", b"/api/v1/imports",
    b"/nothing", b"*", b"", b"//evil.example/x", b"//evil.example/c/x?token=1", b"/\\evil.example",
    b"http://evil.example/api/v1/status", b"http://site/api/v1/status", b"https://[::1/",
    b"site:80", b"javascript:alert(1)", b"/c/../api/status", b"/c/%2e%2e/%2e%2e/etc/passwd",
    b"/static/../app.py", b"/static/%2e%2e%2fapp.py", b"/static/..%5capp.py", b"/assets/x/%2e%2e/a",
    b"/assets/x//etc/passwd", b"/static/%00", b"/c/%00", b"/c/a%0d%0aSet-Cookie:%20a=b", b"/c/%",
    b"/c/%zz", b"/c/%u0041", b"/c/\xff", b"/c/%c0%af", b"/c/%ed%a0%80", b"/c//x", b"/./",
    b"/c/x;y=1", b"/api/v1/search?q=%00", b"/api/v1/search?q=%ff",
    b"/api/v1/search?q=" + b"a" * 9000,
    b"/c/" + b"a" * 70000, b"/api/v1/search?" + b"q=a&" * 1500, b"/?#fragment", b"/c/x y", b"/\x00",
    b"/\r/", b"/\x7f", b"/api/v1/facts/" + b"9" * 4000, b"/api/v1/status?" + b"&" * 4000,
    b"/api/v1/status?=%&%=%3d",
)  # fmt: skip
VERSIONS = (
    b"HTTP/1.1", b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/3", b"http/1.1", b"HTTP/1.10",
    b"HTTP/1.1 ", b"", b"HTTP/-1.1", b"XTTP/1.1",
)  # fmt: skip
ENDS = (b"\n", b"\r", b"\r\n ", b"\n\r")
HOSTS = (
    b"Host: site", b"", b"Host:",
    b"Host: site\r\nHost: evil.example", b"Host: site, evil.example", b"Host: evil@site",
    b"Host: site:99999", b"Host: site:\xb2", b"Host: [::1", b"Host: \xff\xfe",
    b"Host: " + b"a" * 5000, b"Host : site", b"Host: si te", b"Host: site/evil", b"Host: site#x",
    b"Host: %00",
)  # fmt: skip
USERS = (
    b"X-Forwarded-User: ann", b"", b"X_Forwarded_User: mallory",
    b"X-Forwarded-User: ann\r\nX-Forwarded-User: mallory",
    b"X-Forwarded-User: ann\r\nx-forwarded-user: ann", b"X-Forwarded-User: \xff",
    b"X-Forwarded-User: " + b"a" * 5000, b"X-Forwarded-User: a\x00b",
    b"X-Forwarded-User:\r\n mallory", b"X-Forwarded_User: mallory",
)  # fmt: skip
WEBSOCKET = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
)
OTHERS = (
    b"Connection: close",
    b"Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
    b"Connection: Upgrade\r\nUpgrade: websocket", b"Connection: X-Forwarded-User",
    WEBSOCKET,
    b"Expect: 100-continue", b"Expect: 200-ok", b"Expect: 100-continue, 100-continue",
    b"X: " + b"y" * 8000, b"X: " + b"y" * 70000, b"X" * 9000 + b": y", b"X: a\r\n folded",
    b": empty", b"no colon", b"X\x00: y", b"X: \x00", b"X: \x1b[31m", b"X: \xff\xfe",
    b"X: a\rSet-Cookie: b=c", b"Content-Type: text/plain",
    b"Content-Type: application/json\r\nContent-Type: text/plain", b"Content-Encoding: gzip",
    b"Cookie: " + b"a=b; " * 1500, b"Cookie: a=b\r\nCookie: c=d", b"Range: bytes=0-,0-,0-",
    b"Range: bytes=" + b"0-," * 2000, b"If-Modified-Since: \xff",
    b"If-Modified-Since: Sat, 99 Foo 99999999999999999999 99:99:99 GMT",
    b"If-None-Match: " + b'"x",' * 1500, b"Accept-Encoding: gzip;q=\xb2, br;q=nan, *;q=1e400",
    b"Accept: " + b"*/*;q=0.1," * 700, b"Authorization: Basic " + b"\xff" * 40,
    b"Authorization: Digest a=b, c", b"Authorization: Bearer", b"Origin: http://evil.example",
    b"Sec-Fetch-Site: cross-site", b"Last-Event-ID: 1-1", b"Last-Event-ID: \xb2-\xb2",
    b"X-Time-Zone: ../../etc/passwd", b"X-Time-Zone: " + b"A/" * 2000,
    b"X-HTTP-Method-Override: DELETE", b"X-Forwarded-Host: evil.example",
    b"X-Original-URL: /operations", b"X-Forwarded-Proto: javascript",
    b"X-Forwarded-Prefix: //evil.example", b"SCRIPT_NAME: /x", b"Idempotency-Key: \xff",
    b"Trailer: X-Forwarded-User", b"TE: trailers", b"Max-Forwards: 0", b"Content_Length: 5",
    b"X-Many: y\r\n" * 300 + b"X: y", b"Proxy: http://evil.example",
)  # fmt: skip
# `%d` is the body's length.
LENGTHS = (
    b"Content-Length: %d", b"Content-Length: +%d", b"Content-Length: 0%d", b"Content-Length: %d ",
    b"Content-Length: %d, %d", b"Content-Length: 0x%x", b"Content-Length: %d\r\nContent-Length: 0",
    b"Content-Length: \xb2", b"Content-Length: 1_0", b"Content-Length: -%d", b"Content-Length:",
    b"Content-Length: 9" + b"9" * 5000, b"Content-Length: %d.0",
    b"Content-Length: 99999999999999999999", b"Content-Length: %d\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: chunked\r\nContent-Length: %d", b"Content-Length : %d",
    b"Content-Length: %d\r\nTransfer-Encoding: identity",
    b"Content-Length: %d\r\nTransfer-Encoding:",
)  # fmt: skip
CODINGS = (
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: Chunked", b"Transfer-Encoding: xchunked",
    b"Transfer-Encoding: chunked, identity", b"Transfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: chunked, chunked", b"Transfer-Encoding: \x0bchunked",
    b"Transfer-Encoding : chunked", b"Transfer_Encoding: chunked",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked;q=1",
    b"Transfer-Encoding:\r\n chunked", b"X: y\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: 'chunked'",
)  # fmt: skip
# A chunk's size and what follows it in its line; `%x` is the true size.
SIZES = (
    b"%x", b"%x;ext=1", b"%x;ext=\"a;b\"", b"%x ;a", b"0x%x", b"+%x", b"-%x", b"%x_0",
    b"00000000000000000000%x", b"%xfffffffff", b";", b"zz", b"%x\n", b"%x;\r", b" %x",
    b"%x;" + b"e" * 9000, b"\xb2", b"f" * 400,
)  # fmt: skip
TAILS = (
    b"0\r\n\r\n", b"0\r\nX-Forwarded-User: mallory\r\n\r\n", b"0\r\nContent-Length: 5\r\n\r\n",
    b"0\r\n" + b"X: y\r\n" * 300 + b"\r\n", b"0\r\n", b"", b"0;a=b\r\n\r\n", b"00\r\n\r\n",
    b"0\n\n",
)  # fmt: skip


class OddWires:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the same ones each time

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield self._make()

    def _make(self) -> bytes:
        """Odd in one or two places: what is odd in all of them is refused for the first."""
        length, body = self._body()
        others = self._random.sample(OTHERS, self._random.choice((0, 0, 1, 1, 2)))
        line = b"%b %b %b" % tuple(
            self._mostly(options) for options in (METHODS, TARGETS, VERSIONS)
        )
        lines = [line, self._mostly(HOSTS), self._mostly(USERS), *others, *length]
        ends = [b"\r\n"] * len(lines)
        if self._random.random() < 0.1:
            ends[self._random.randrange(len(ends))] = self._random.choice(ENDS)
        head = b"".join(part + end for part, end in zip(lines, ends, strict=True) if part)
        return head + b"\r\n" + body

    def _mostly(self, values: Sequence[bytes]) -> bytes:
        """The first of them is how it should be."""
        return values[0] if self._random.random() < 0.6 else self._random.choice(values)

    def _body(self) -> tuple[list[bytes], bytes]:
        """The headers that tell of it, and the body."""
        kind = b"Content-Type: application/json"
        match self._random.randrange(4):
            case 0:
                return [], b""
            case 1:
                return [kind, b"Content-Length: %d" % len(SAID)], SAID
            case 2:
                return [kind, _fill(self._mostly(LENGTHS))], HIDDEN
            case _:
                coding, size, tail = (self._mostly(options) for options in (CODINGS, SIZES, TAILS))
                return [kind, coding], _fill(size) + b"\r\n" + HIDDEN + b"\r\n" + tail


def _fill(template: bytes) -> bytes:
    return template.replace(b"%d", b"%d" % len(HIDDEN)).replace(b"%x", b"%x" % len(HIDDEN))
