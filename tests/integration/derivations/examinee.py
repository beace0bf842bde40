"""A model that sits the examination: it states what is plain, and believes as it is told."""

from __future__ import annotations

from shared.derivations.examination import list_notes
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.derivations.models import answer


def sit(server: FakeOpenAI, *, is_gullible: bool) -> None:
    """Let the server answer each note of the examination."""
    for note in list_notes():
        values = [*note.plain, *(note.trap if is_gullible else ())]
        facts: list[dict[str, object]] = [
            {
                "category": "identity",
                "key": f"k{number}",
                "value": value,
                "whose": "user",
                "quote": note.message,
            }
            for number, value in enumerate(values)
        ]
        if note.plain == ("short sentences",):
            facts[0] |= {"category": "instruction", "key": "response_length"}
        server.by_words[note.message.split('"')[0][:40]] = answer(*facts)
