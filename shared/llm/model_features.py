"""What a model takes beside text: tools, a form for JSON, pictures. Its server is asked.

A request is answered with the head of a stream or refused, so that nobody waits for the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from shared.llm.model_list import find_entry
from shared.llm.providers.http_client import model_client
from shared.llm.served_models import BOUNDS
from shared.llm.targets import Target, site_target
from shared.models.site_models import SiteModel
from shared.outbound.connections import bounded_call

Feature = Literal["streams", "tools", "json", "pictures"]
LONGEST_S = 15.0
#: A white dot.
PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2"
    "WQAAAABJRU5ErkJggg=="
)
HELLO = "Say hello in one word."
NO_FIELDS: dict[str, Any] = {"type": "object", "properties": {}}
#: Fields of a request, by what they try.
TRIALS: Mapping[Feature, Mapping[str, Any]] = {
    "streams": {},
    "tools": {
        "tools": [{"type": "function", "function": {"name": "wave", "parameters": NO_FIELDS}}]
    },
    "json": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "greeting", "schema": NO_FIELDS},
        }
    },
    "pictures": {
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": HELLO},
                    {"type": "image_url", "image_url": {"url": PICTURE}},
                ],
            }
        ]
    },
}
#: Names in litellm's list.
LISTED: Mapping[Feature, str] = {
    "tools": "supports_function_calling",
    "json": "supports_response_schema",
    "pictures": "supports_vision",
}


@dataclass(frozen=True, kw_only=True)
class Features:
    names: tuple[Feature, ...]
    #: How many tokens it takes, where somebody says it.
    context_tokens: int | None


NO_FEATURES = Features(names=(), context_tokens=None)


def find_features(model: SiteModel) -> Features:
    """Try a model that answers. What litellm says of a hosted one is believed without a trial."""
    target = site_target(model)
    entry = find_entry(model.config.served_name) if _is_hosted(target) else {}
    tokens = entry.get("max_input_tokens")
    if target.way == "direct":
        names = _try_all(target)
    else:
        names = ("streams", *(name for name, field in LISTED.items() if entry.get(field)))
    return Features(names=names, context_tokens=tokens if isinstance(tokens, int) else None)


def _is_hosted(target: Target) -> bool:
    """A server of one's own may call any model by a known name."""
    return target.api_base is None or target.api_base.startswith("https://")


def _try_all(target: Target) -> tuple[Feature, ...]:
    with ThreadPoolExecutor(max_workers=len(TRIALS)) as pool:
        answers = pool.map(lambda fields: _is_taken(target, fields), TRIALS.values())
        return tuple(name for name, is_taken in zip(TRIALS, answers, strict=True) if is_taken)


def _is_taken(target: Target, fields: Mapping[str, Any]) -> bool:
    question = [{"role": "user", "content": HELLO}]
    body = {"model": target.name, "messages": question, "stream": True, **fields}
    try:
        with (
            bounded_call(BOUNDS, LONGEST_S),
            model_client().stream(
                "POST",
                f"{target.api_base}/chat/completions",
                json=body,
                headers={"Authorization": f"Bearer {target.api_key}"},
                timeout=LONGEST_S,
                follow_redirects=False,
            ) as response,
        ):
            is_stream = response.headers.get("Content-Type", "").startswith("text/event-stream")
            is_taken = response.status_code == httpx.codes.OK and (is_stream or bool(fields))
            return is_taken and not _begins_with_fault(response.iter_lines())
    except (httpx.HTTPError, httpx.InvalidURL, OSError):
        return False


def _begins_with_fault(lines: Iterable[str]) -> bool:
    """Some servers begin a stream before they refuse the request."""
    first = next((line for line in lines if line.strip(" :")), "")
    try:
        event = json.loads(first.removeprefix("data:"))
    except (ValueError, RecursionError):
        return False
    return isinstance(event, dict) and bool(event.get("error"))
