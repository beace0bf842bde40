"""Memory's jobs succeed at every server of `profiles.toml`, by both clients."""

from __future__ import annotations

import json

import pytest

from shared.derivations.kinds import do_job
from shared.services import Services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.fakes.profiles import PROFILES
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, answer, extract
from tests.integration.worker import list_jobs
from tests.services import MakeSettings

POINTS = {"points": [{"text": "Ann lives in Oslo.", "first": 0, "last": 5}]}


@pytest.mark.parametrize("client", ["httpx", "litellm"])
@pytest.mark.parametrize("name", sorted(PROFILES))
def test_facts_summaries_and_titles_are_made(
    openai_server: FakeOpenAI, make_settings: MakeSettings, name: str, client: str
) -> None:
    openai_server.profile = PROFILES[name]
    openai_server.by_task |= {
        "title": Scripted(text="Oslo", reasoning="Hm."),
        "summary": Scripted(text=json.dumps(POINTS), reasoning="Hm."),
        "facts": answer(("name", "Ann", 0)),
    }
    settings = make_settings(
        llm_model="m", llm_api_base=openai_server.base_url, llm_api_client=client, llm_tries=1
    )
    services = Services(settings)
    try:
        conversing = Conversing(services)
        for text in ("My name is Ann.", "I live in Oslo.", "It is cold."):
            conversing.round(text)
        extract(conversing)
        do_job(services, "summary", conversing.due_of("summary")[-1])
        do_job(services, "title", conversing.due_of("title")[-1])
        assert active(conversing) == {"name": "Ann"}
        assert not list_jobs(services, "failed")
    finally:
        services.close()
