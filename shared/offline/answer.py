"""From a prompt to the stand-in's answer. Pure: no clock, no randomness."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from shared.offline.episode import tell_episode
from shared.offline.facts.statements import find_facts
from shared.offline.reading import first_user_text, read_known, read_task, read_transcript
from shared.offline.replies.reply import write_reply
from shared.offline.summary import find_points
from shared.offline.title import find_title
from shared.policy.continuing import asked_at_first


def write_answer(messages: Sequence[Mapping[str, str]]) -> str:
    """What the system prompt's `Task:` line asks for; a reply where it asks for nothing."""
    text = first_user_text(messages)
    match read_task(messages):
        case "summary":
            return _json({"points": find_points(read_transcript(text))})
        case "episode":
            return _json(tell_episode(read_transcript(text)))
        case "facts":
            return _json({"facts": find_facts(read_transcript(text), read_known(text))})
        case "title":
            return find_title(read_transcript(text))
    return write_reply(asked_at_first(messages))  # all of it once more is what goes on from a part


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
