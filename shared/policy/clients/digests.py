"""Hashes of a client's messages, by which messages that it sends again are recognised."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence

from shared.models.clients import ClientMessage
from shared.policy.clients.client_messages import ClientRound, join_texts, text_of
from shared.policy.reasoning import pattern_of, without_reasoning
from shared.policy.reasoning_marks import BLOCKS

DIGEST_CHARS = 32
BEGINNING = ""  # the chain before the first round
# What clients show of a model's reasoning, or take away before they resend a reply. The lengths
# are bounded, and an end that is missing is looked for once: hostile texts must cost no more than
# others.
_ENDS = {block.begin: pattern_of(block.ends) for block in BLOCKS if block.is_reasoning}
_DETAILS_END = re.compile("</details>")
_REASONING = re.compile(
    rf"(?=[<\[◁])(?:{pattern_of(_ENDS).pattern}|<(?P<details>details)\b"
    r"[^<>]{0,300}?type=\"reasoning\"[^<>]{0,300}>)",
    re.IGNORECASE,
)


def normalise(text: str) -> str:
    """Remove reasoning and join white space: clients trim and rewrap the texts that they keep."""
    return " ".join(unicodedata.normalize("NFC", _without_reasoning(text)).split())


def normalise_reply(text: str) -> str:
    """Normalise a reply, which a client may resend with the reasoning that it was streamed."""
    return normalise(without_reasoning(text))


def _without_reasoning(text: str) -> str:
    """The text without blocks of reasoning. What is never closed is no such block."""
    pieces, at, start = [], 0, 0
    unclosed: set[re.Pattern[str]] = set()
    while opening := _REASONING.search(text, start):
        start = opening.end()
        pattern = _DETAILS_END if opening["details"] else _ENDS[opening[0].lower()]
        end = None if pattern in unclosed else pattern.search(text, start)
        if end is None:
            unclosed.add(pattern)
            continue
        pieces.append(text[at : opening.start()])
        at = start = end.end()
    return " ".join([*pieces, text[at:]])


def digest_asked(messages: Sequence[ClientMessage]) -> str:
    """A hash of what was asked: words, images and results of tools."""
    *_, whole = digests_of_beginnings(messages)
    return whole


def digests_of_beginnings(messages: Sequence[ClientMessage]) -> Iterator[str]:
    """Yield `digest_asked` of no message, of the first one, of the first two, and so on.

    Each message is read once.
    """
    hasher = hashlib.sha256(b"[")
    yield _close(hasher)
    for at, message in enumerate(messages):
        hasher.update(b", " if at else b"")
        hasher.update(_bytes(json.dumps(_canonical(message), sort_keys=True)))
        yield _close(hasher)


def digest_reply(text: str) -> str:
    return _hash(normalise_reply(text))


def link(chain: str, digest: str) -> str:
    """The chain of digests after one more round."""
    return _hash(f"{chain}/{digest}")


def chains_of(rounds: Sequence[ClientRound], before: str = BEGINNING) -> list[str]:
    """The chain after each round. A client that rewrites replies does not change it."""
    chains = []
    for client_round in rounds:
        before = link(before, digest_asked(client_round.request))
        chains.append(before)
    return chains


def _canonical(message: ClientMessage) -> list[object]:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    others = [part for part in parts if isinstance(part, dict) and "text" not in part]
    return [message["role"], normalise(text_of(content)), others, message.get("tool_call_id")]


def _close(hasher: hashlib._Hash) -> str:
    """The digest of a list in JSON that ends here. `hasher` can be continued."""
    whole = hasher.copy()
    whole.update(b"]")
    return whole.hexdigest()[:DIGEST_CHARS]


def _hash(text: str) -> str:
    return hashlib.sha256(_bytes(text)).hexdigest()[:DIGEST_CHARS]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def reply_digest_of(messages: Sequence[ClientMessage]) -> str:
    return digest_reply(join_texts(messages))
