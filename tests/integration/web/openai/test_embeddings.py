"""`POST /v1/embeddings`."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from shared.settings import Settings
from tests.integration.web.conftest import Browser
from tests.waiting import wait_for

MODEL = Settings().embedding_model


@pytest.fixture
def encoding(browser: Browser) -> Iterator[Browser]:
    browser.context.encoder.start()
    wait_for(lambda: browser.context.encoder.ready, 120)
    yield browser
    browser.context.encoder.stop()


def embed(browser: Browser, **fields: Any) -> Any:
    return browser.client.post("/v1/embeddings", json={"model": MODEL, "input": "A cat"} | fields)


def test_texts_become_vectors(encoding: Browser) -> None:
    body = embed(encoding, input=["A cat", "A kitten", "The tax office"]).get_json()
    cat, kitten, office = (item["embedding"] for item in body["data"])
    assert [item["index"] for item in body["data"]] == [0, 1, 2]
    assert body["usage"]["total_tokens"] > 0
    near, far = (sum(a * b for a, b in zip(cat, other, strict=True)) for other in (kitten, office))
    assert near > far
    coded = embed(encoding, encoding_format="base64").get_json()["data"][0]["embedding"]
    assert list(struct.unpack("<384f", base64.b64decode(coded))) == pytest.approx(cat, abs=1e-6)
    bad: tuple[dict[str, Any], ...] = (
        {"dimensions": 16},
        {"input": [1, 2, 3]},
        {"input": [[1, 2]]},
        {"input": ""},
        {"input": []},
        {"input": ["a"] * 257},
    )
    for fields in bad:
        answer = embed(encoding, **fields)
        assert answer.status_code == 400, fields
        assert answer.get_json()["error"]["param"] in {"input", "dimensions"}
    assert embed(encoding, model="text-embedding-3-small").status_code == 404


def test_while_the_model_is_loaded_the_client_is_told_to_wait(browser: Browser) -> None:
    answer = embed(browser)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
