"""Read LoCoMo conversations (ACL 2024): two people over many days, in one JSON file.

Keys: `session_N`, a list of `{speaker, dia_id, text, blip_caption?}`, beside `speaker_a` and
`speaker_b`. The data's licence (CC BY-NC) allows measuring with it; it is no part of this project.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What one person said before the other one did."""

    speaker: str
    text: str


def read_conversation(path: Path) -> list[Utterance]:
    """In order of time. Consecutive turns of one speaker are joined, also across sessions."""
    conversation = json.loads(path.read_text("utf-8"))
    return list(join_consecutive(_turns(conversation)))


def user_side(utterances: Iterable[Utterance], user: str) -> list[str]:
    """The texts of `user`, one for each round."""
    return [utterance.text for utterance in utterances if utterance.speaker == user]


def join_consecutive(utterances: Iterable[Utterance]) -> Iterator[Utterance]:
    """Join consecutive turns of one speaker, so that speakers alternate."""
    for speaker, group in itertools.groupby(utterances, key=lambda utterance: utterance.speaker):
        yield Utterance(speaker=speaker, text="\n".join(utterance.text for utterance in group))


def _turns(conversation: dict[str, Any]) -> Iterator[Utterance]:
    for number in itertools.count(1):
        # Some days have a date and nothing said; the last number has no date either.
        if f"session_{number}" not in conversation:
            if f"session_{number}_date_time" not in conversation:
                return
            continue
        for turn in conversation[f"session_{number}"]:
            yield Utterance(speaker=turn["speaker"], text=with_picture(turn))


def with_picture(turn: dict[str, str]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} (shows {caption})" if caption else turn["text"]
