"""The names that a server of OpenAI's protocol gives its models: `GET /models` at its address."""

from __future__ import annotations

import json
import time

import httpx

from shared.llm.providers.http_client import model_client
from shared.llm.targets import site_target
from shared.models.site_models import SiteModel

TIMEOUT_S = 5.0
MAX_BYTES = 2_000_000
MAX_MODELS = 500
MAX_NAME_CHARS = 200


def list_served(model: SiteModel) -> tuple[str, ...] | None:
    """By name. None: the server has no such list, or cannot be asked."""
    target = site_target(model)
    if target.api_base is None:
        return None
    try:
        body = _read(f"{target.api_base}/models", f"Bearer {target.api_key}")
        found = json.loads(body)["data"]
        names = {str(one["id"]) for one in found}
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
    ):
        return None
    usable = (name for name in names if name.isprintable() and 0 < len(name) <= MAX_NAME_CHARS)
    return tuple(sorted(usable)[:MAX_MODELS])


def _read(url: str, authorization: str) -> bytes:
    """Raises `ValueError` for any answer but a list of bearable size, within a bearable time."""
    body, until = b"", time.monotonic() + TIMEOUT_S
    headers = {"Authorization": authorization}
    with model_client().stream(
        "GET", url, headers=headers, timeout=TIMEOUT_S, follow_redirects=False
    ) as response:
        if response.status_code != httpx.codes.OK:
            raise ValueError(response.status_code)
        for piece in response.iter_bytes():
            body += piece
            if len(body) > MAX_BYTES or time.monotonic() > until:
                raise ValueError("too much")
    return body
