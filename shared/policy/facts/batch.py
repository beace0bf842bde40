"""How many messages one model call reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from shared.models import Fact, Heard
from shared.policy.facts.grounding.vocabulary import FILLERS
from shared.policy.facts.grounding.words import pairs, read_words
from shared.policy.facts.questions import only_asks
from shared.policy.facts.small_talk import is_small_talk
from shared.policy.folding import fold
from shared.policy.shortening import cut_middle, split_messages

MAX_MESSAGES = 24
MAX_CHARS = 24_000
MAX_MESSAGE_CHARS = 8_000
MAX_KNOWN = 20
BEGINNING, SHORTEST = 5, 2  # letters of a word that are compared, and the fewest
MAX_KNOWN_CHARS = 4_000


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The model reads `messages`. Then all up to `end` count as read, also those left out."""

    messages: tuple[Heard, ...]
    end: int

    def first_half(self) -> Batch:
        """The older half of the messages. The batch must have at least two."""
        half = self.messages[: len(self.messages) // 2]
        return Batch(messages=half, end=half[-1].sequence_number)

    def fitted(self, budget: int, measure: Callable[[Heard], int]) -> Batch:
        """The oldest messages that fit into `budget` tokens. A message longer than that is cut."""
        if not self.messages:
            return self
        part = split_messages(self.messages, budget, measure, most_parts=len(self.messages))[0]
        whole = len(part) == len(self.messages)
        return Batch(messages=tuple(part), end=self.end if whole else part[-1].sequence_number)


def take_batch(heard: Sequence[Heard], end: int) -> Batch:
    """The oldest messages that fit into one call. Those that teach nothing are left out; long ones
    are cut.

    `heard` are the user messages up to sequence number `end`.
    """
    telling = [
        replace(message, content=cut_middle(message.content, MAX_MESSAGE_CHARS, len))
        for message in heard
        if not (is_small_talk(message.content) or only_asks(message.content))
    ]
    batch = tuple(_first_that_fit(telling))
    whole = len(batch) == len(telling)
    return Batch(messages=batch, end=end if whole else batch[-1].sequence_number)


def take_known(on_record: Sequence[Fact], messages: Sequence[Heard]) -> list[Fact]:
    """The facts that the model is shown: those that share the beginning of a word with a message.

    Small models repeat what they are shown, and then find nothing in the message.
    """
    beginnings = _beginnings(" ".join(message.content for message in messages))
    related = [
        fact
        for fact in on_record
        if not beginnings.isdisjoint(_beginnings(f"{fact.key.replace('_', ' ')} {fact.value}"))
    ]
    chosen: list[Fact] = []
    chars = 0
    for fact in related[:MAX_KNOWN]:
        chars += len(fact.key) + len(fact.value)
        if chars > MAX_KNOWN_CHARS:
            break
        chosen.append(fact)
    return chosen


def _beginnings(text: str) -> frozenset[str]:
    """The first letters of each telling word; the pairs of characters of text without spaces."""
    return frozenset(
        beginning
        for word in read_words(fold(text))
        if word.text not in FILLERS
        for beginning in (pairs(word.text) if word.is_unspaced else (word.text[:BEGINNING],))
        if len(beginning) >= SHORTEST
    )


def _first_that_fit(messages: Sequence[Heard]) -> Iterator[Heard]:
    """The first message always, however long it is, and the next ones that fit."""
    chars = 0
    for index, message in enumerate(messages[:MAX_MESSAGES]):
        chars += len(message.content)
        if index and chars > MAX_CHARS:
            return
        yield message
