"""Servers of others that send too much: Flower, a provider of sign-in, a list of models."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.llm import served_models
from tests.fakes.hostile_server import (
    BUFFERS_BYTES,
    MakeAnswer,
    endless,
    head,
    make_bomb,
    running_hostile_server,
    whole,
)
from tests.fakes.site_models import HOSTED
from tests.integration.web.conftest import MakeBrowser
from tests.refusals import code_of
from tests.waiting import PATIENCE_S
from web.accounts.provider_session import MAX_BYTES as OF_PROVIDER
from web.views import flower

ANSWERS = [
    pytest.param(endless(head(), b" " * 65_536), id="JSON without an end"),
    pytest.param(endless(head("text/html"), b"x" * 65_536), id="a page without an end"),
    pytest.param(
        whole(head("application/json", "Content-Encoding: gzip"), make_bomb(100)),
        id="a bomb",
    ),
    pytest.param(
        endless(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 60_000 + b"\r\n"),
        id="headers without an end",
    ),
]
NESTED = whole(head(), b"[" * 200_000)


@pytest.mark.parametrize("answer", ANSWERS)
def test_flower_that_sends_too_much_is_cut_off(
    make_browser: MakeBrowser, answer: MakeAnswer
) -> None:
    with running_hostile_server(answer) as server:
        refused = make_browser(flower_internal_url=server.url).client.get("/flower/tasks")
        assert refused.status_code == 503
        assert code_of(refused) == "flower_unavailable"
        assert server.ended.wait(PATIENCE_S)
        assert server.sent_bytes <= flower.MAX_BYTES + BUFFERS_BYTES


@pytest.mark.parametrize("answer", [*ANSWERS, pytest.param(NESTED, id="deeply nested")])
def test_a_provider_of_sign_in_that_sends_too_much_is_told_as_away(
    make_browser: MakeBrowser, answer: MakeAnswer
) -> None:
    with running_hostile_server(answer) as server:
        site = make_browser(
            auth_mode="oidc",
            oidc_issuer=server.url,
            oidc_client_id="throughline",
            public_url="http://localhost",
        )
        assert site.client.get("/account/oidc/start").status_code == 503
        assert server.ended.wait(PATIENCE_S)
        assert server.sent_bytes <= OF_PROVIDER + BUFFERS_BYTES


@pytest.mark.parametrize("answer", [*ANSWERS, pytest.param(NESTED, id="deeply nested")])
def test_a_list_of_models_that_is_too_long_is_none(answer: MakeAnswer) -> None:
    with running_hostile_server(answer) as server:
        model = replace(HOSTED, config=replace(HOSTED.config, address=server.url))
        assert served_models.list_served(model) is None
        assert server.sent_bytes <= served_models.BOUNDS.whole_bytes + BUFFERS_BYTES
