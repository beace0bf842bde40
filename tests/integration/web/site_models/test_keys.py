"""Keys of models that an operator sets up: they come in and never go out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.db import fetch_rows
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.site_models.conftest import (
    KEY,
    MODELS,
    change,
)


def test_a_key_comes_in_and_never_goes_out(
    site: Browser, second: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    [model] = site.get(MODELS)["models"]
    assert model["has_key"] is True
    second.script(Scripted(status=500, error=f"bad {KEY}"))
    answers = [
        site.client.get(MODELS),
        site.client.get("/api/v1/models"),
        site.chat("Hello", model="At home"),
        site.client.get("/api/v1/export"),
        site.client.get("/api/v1/audit"),
        change(site, model, served_name="large"),
        site.client.post(f"{MODELS}/test", json={
            "address": second.base_url, "model_id": model["model_id"], "served_name": "none",
        }),
    ]  # fmt: skip
    assert not [answer.request.path for answer in answers if KEY in answer.text]
    assert KEY not in caplog.text
    assert KEY not in repr(site.context.services.models.settings())
    with site.context.services.database.transaction() as connection:
        [row] = fetch_rows(connection, "SELECT sealed_key FROM site_models")
    assert KEY.encode() not in bytes(row["sealed_key"])


def test_a_stored_key_is_not_sent_to_another_address(
    site: Browser, second: FakeOpenAI, openai_server: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    assert change(site, model, address=openai_server.base_url).status_code == 409
    tried = {"address": openai_server.base_url, "model_id": model["model_id"], "served_name": "x"}
    assert site.client.post(f"{MODELS}/test", json=tried).status_code == 409
    assert site.client.post(f"{MODELS}/served", json={
        "address": openai_server.base_url, "model_id": model["model_id"],
    }).status_code == 409  # fmt: skip
    assert openai_server.requests == []
    moved = change(site, model, address=openai_server.base_url, api_key="sk-other")
    assert moved.get_json()["address"] == openai_server.base_url
    site.chat("Hello", model="At home")
    assert openai_server.requests[-1].headers["authorization"] == "Bearer sk-other"


def test_the_stored_key_is_kept_replaced_and_taken_away(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    assert change(site, model, served_name="large").get_json()["has_key"] is True
    site.chat("Hello", model="At home")
    assert second.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert change(site, model, api_key="").get_json()["has_key"] is False
    failed = site.chat("Hello", model="At home")
    assert failed.status_code == 502
    assert "does not accept the key" in failed.text


def test_a_key_of_another_secret_is_no_fault_of_the_site(
    site: Browser, make_browser: Callable[..., Browser]
) -> None:
    other = make_browser(
        database_url=site.context.services.settings.database_url,
        secret_key="another secret, long enough for it",
    )
    assert other.chat("Hello", model="At home").status_code == 502
    assert other.chat("Hello").status_code == 200
