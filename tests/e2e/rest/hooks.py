r"""What the document cannot say of valid requests. schemathesis loads this module.

- A cursor is signed: an invented one is never valid. A valid request has none, or one that the site
  has given, with the list and the filters that it was given for.
- `cursor`, `before`, `after` and `around` exclude one another.
- An Idempotency-Key belongs to one request: here a hash of it is a part of the key.
- schemathesis takes the letters of a fact's key (`\p{L}`) for Latin ones. A key with other letters
  is valid, so that is no invalid request.
- The newest message of a temporary chat is the user's.
- A model is one that the site offers. One that is set up is at an address where nobody listens, and
  nobody may choose it: else later replies would fail. So its check is not asked for, either.
- Each value of an enum is tried: three time zones stand for six hundred.
- Things of the site (`SITE_IDS`) take turns with invented ids.

Invalid requests go out as they were made.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from typing import Any
from urllib.parse import urlsplit

import schemathesis

KEY = "Idempotency-Key"
MAX_KEY_CHARS = 255
PLACES = ("cursor", "before", "after", "around")
ODDS = 0.7
NOBODY = "http://127.0.0.1:9/v1"
STAND_IN = "offline/extractive"
CHECK = "/operations/models/{model_id}/examination"
NO_MODEL = 10**6
IDS: dict[str, list[Any]] = json.loads(os.environ.get("SITE_IDS", "{}"))
GIVEN: dict[str, tuple[str, dict[str, Any]]] = {}
CHOICE = random.Random(0)  # noqa: S311 - the same ones each time


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    zones = raw_schema["components"]["schemas"]["TimeZone"]["enum"]
    zones[:] = ["Europe/Lisbon", "Asia/Kathmandu", "UTC"]


@schemathesis.hook
def filter_case(context: Any, case: Any) -> bool:
    if is_valid(case):
        return not ends_with_a_reply(case)
    return not has_key_in_another_script(case.body)


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if case.path.endswith(CHECK) and "model_id" in (case.path_parameters or {}):
        case.path_parameters["model_id"] = NO_MODEL
        return
    if not is_valid(case):
        return
    if case.meta is not None and case.meta.phase.name.value != "stateful":
        name_known_things(case)
    if isinstance(case.body, dict):
        name_known_models(case)
    if case.query:
        mend_places(case)
    if case.headers and KEY in case.headers:
        case.headers[KEY] = own_key(case)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    if response.status_code != 200 or "json" not in str(response.headers.get("content-type")):
        return
    body = response.json()
    cursor = body.get("next_cursor") if isinstance(body, dict) else None
    if cursor:
        GIVEN[cursor] = (urlsplit(response.request.url).path, dict(case.query or {}))


def is_valid(case: Any) -> bool:
    return case.meta is None or not case.meta.generation.mode.is_negative


def has_key_in_another_script(body: Any) -> bool:
    key = body.get("key") if isinstance(body, dict) else None
    return isinstance(key, str) and any(char.isalnum() for char in key)


def ends_with_a_reply(case: Any) -> bool:
    messages = case.body.get("messages") if isinstance(case.body, dict) else None
    if not messages or not case.path.endswith("/chat/temporary"):
        return False
    return bool(messages[-1]["role"] != "user")


def name_known_things(case: Any) -> None:
    for name in case.path_parameters or {}:
        known = IDS.get(f"{case.method} {name}") or IDS.get(name)
        if known and CHOICE.random() < ODDS:
            case.path_parameters[name] = CHOICE.choice(known)


def name_known_models(case: Any) -> None:
    if "/operations/models" in case.path:
        case.body |= {"protocol": "openai", "address": NOBODY}
        if not case.path.endswith(("/test", "/served")):
            case.body |= dict.fromkeys(("offered", "chat_default", "memory_default"), False)
    elif isinstance(case.body.get("model"), str):
        case.body["model"] = STAND_IN


def mend_places(case: Any) -> None:
    cursor = case.query.get("cursor")
    path, query = GIVEN.get(str(cursor), ("", {}))
    if path == case.formatted_path:
        case.query = query | {"cursor": cursor}
    else:
        case.query.pop("cursor", None)
    for other in [name for name in PLACES if name in case.query][1:]:
        if case.path.endswith("/messages"):
            case.query.pop(other)


def own_key(case: Any) -> str:
    parts = [case.method, case.formatted_path, str(case.query), repr(case.body)]
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()
    return str(case.headers[KEY])[: MAX_KEY_CHARS - len(digest)] + digest
