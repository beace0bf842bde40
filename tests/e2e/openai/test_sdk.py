"""OpenAI's own client at a real site: long talks that are remembered."""

from __future__ import annotations

from typing import Any

import openai

from tests.e2e.openai.talks import MODEL, TURNS, Account, Said, Talk, check_talk


def ask(sdk: openai.OpenAI, messages: list[Said]) -> str:
    payload: Any = messages
    answer = sdk.chat.completions.create(model=MODEL, messages=payload)
    return answer.choices[0].message.content or ""


def test_thirty_turns_are_kept_once_and_remembered(account: Account, sdk: openai.OpenAI) -> None:
    def make() -> Talk:
        return Talk(lambda messages: ask(sdk, messages), system="Be brief.")

    check_talk(account, make, "heron", "Quillfeather", TURNS)


def test_thirty_turns_of_a_sliding_window_are_kept_once(
    account: Account, sdk: openai.OpenAI
) -> None:
    def make() -> Talk:
        return Talk(lambda messages: ask(sdk, messages), window=9)

    check_talk(account, make, "otter", "Brambleton", TURNS)
