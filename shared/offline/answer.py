"""The stand-in's answer to a prompt. Pure: no clock, no randomness."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from shared.offline.episode import write_episode
from shared.offline.facts.plain_facts import find_facts
from shared.offline.prompt_parser import first_user_text, read_known, read_task, read_transcript
from shared.offline.replies.reply import write_reply
from shared.offline.summary import write_points
from shared.offline.title import write_title
from shared.policy.continuation import without_continuation_turns


def write_answer(messages: Sequence[Mapping[str, str]]) -> str:
    """Stand in for a model: do the task that the system prompt names, or reply as in a chat."""
    text = first_user_text(messages)
    match read_task(messages):
        case "summary":
            return _json({"points": write_points(read_transcript(text))})
        case "episode":
            return _json(write_episode(read_transcript(text)))
        case "facts":
            return _json({"facts": find_facts(read_transcript(text), read_known(text))})
        case "title":
            return write_title(read_transcript(text))
    # Asked to continue a reply, it writes the whole reply again. The caller joins the two.
    return write_reply(without_continuation_turns(messages))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
