"""What creates something does it once for each Idempotency-Key of a user.

As the IETF's draft says: the same request again gets the same answer, another request under the
same key gets 422, and while the first one is handled a second gets 409. A request that failed may
be sent again under its key. A process that dies between its change and keeping the answer leaves
the key held for `HELD_S`; after that the request is handled anew.

Answers may hold what nobody else should read, such as a new token. So they are encrypted by the
request's key, of which only the hash is kept.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, g, request

from shared.errors import ConflictError, KeyReusedError
from shared.store import kept_answers
from shared.store.kept_answers import KeptAnswer
from web.process.context import transaction
from web.requests.checked_request import CheckedRequest
from web.requests.forms import read_key

if TYPE_CHECKING:
    from cryptography.fernet import Fernet


def answer_once(respond: Callable[[], Any]) -> Response:
    """The answer of `respond`, or the one to the same request before."""
    key = read_key(request)
    if key is None:
        return current_app.make_response(respond())
    key_hash = hashlib.sha256(key.encode()).digest()
    with transaction() as connection:
        answer = kept_answers.claim_key(connection, g.user_id, key_hash)
    if answer is not None:
        return _answer_again(answer, key)
    try:
        response = current_app.make_response(respond())
    except BaseException:
        _release(key_hash)
        raise
    if response.status_code >= 400:
        _release(key_hash)
    else:
        _keep(response, key, key_hash)
    return response


def _answer_again(answer: KeptAnswer, key: str) -> Response:
    if answer.status is None:
        raise ConflictError("The first request with this Idempotency-Key is still being handled.")
    if answer.request_hash != _hash_request():
        raise KeyReusedError("This Idempotency-Key was sent with another request.")
    if answer.body is None:
        raise ConflictError("Something that this request made has been deleted since.")
    body = _cipher(key).decrypt(answer.body)
    response = Response(body, answer.status, mimetype="application/json")
    response.headers["Idempotent-Replayed"] = "true"
    return response


def _keep(response: Response, key: str, key_hash: bytes) -> None:
    answer = KeptAnswer(
        status=response.status_code,
        request_hash=_hash_request(),
        body=_cipher(key).encrypt(response.get_data()),
    )
    with transaction() as connection:
        kept_answers.keep_answer(connection, g.user_id, key_hash, answer)


def _release(key_hash: bytes) -> None:
    with transaction() as connection:
        kept_answers.release_key(connection, g.user_id, key_hash)


def _hash_request() -> bytes:
    """A digest of method, address and body. Reads what is left of the body."""
    checked_request: CheckedRequest = request  # type: ignore[assignment]
    head = f"{checked_request.method} {checked_request.full_path}\n".encode("utf-8", "replace")
    return hashlib.sha256(head + checked_request.hash_body()).digest()


def _cipher(key: str) -> Fernet:
    from cryptography.fernet import Fernet

    secret = hashlib.sha256(f"kept answer\n{g.user_id}\n{key}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(secret))
