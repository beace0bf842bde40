"""OpenAI's own client at a real site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import openai
import pytest

from tests.e2e.openai.talks import MODEL, Said, Talk, check_talk
from tests.e2e.site import Site


@pytest.fixture
def sdk(site: Site) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{site.url}/v1", api_key="none", max_retries=0) as client:
        yield client


def ask(sdk: openai.OpenAI, messages: list[Said]) -> str:
    sent: Any = messages
    answer = sdk.chat.completions.create(model=MODEL, messages=sent)
    return answer.choices[0].message.content or ""


def test_thirty_turns_are_kept_once_and_remembered(site: Site, sdk: openai.OpenAI) -> None:
    def make() -> Talk:
        return Talk(lambda sent: ask(sdk, sent), system="Be brief.")

    check_talk(site, make, "heron", "Quillfeather")


def test_thirty_turns_of_a_sliding_window_are_kept_once(site: Site, sdk: openai.OpenAI) -> None:
    def make() -> Talk:
        return Talk(lambda sent: ask(sdk, sent), window=9)

    check_talk(site, make, "otter", "Brambleton")
