"""Verification: doubtful proposals are put to the model once more, in one short call for a batch.

The second answer may lower a fact to a suggestion, drop a suggestion, or make a fact of a
suggestion that only the model had doubted. What code doubts stays a suggestion, whatever the model
says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.models import Heard
from shared.policy.escaping import escape_attribute, escape_text
from shared.policy.facts.proposals import Proposal, Refusal

MAX_DOUBTFUL_CONFIDENCE = 0.5
#: How many notes one call has at most. Others stay as they are.
MAX_NOTES = 16
MAX_PASSAGE_CHARS = 400
MAX_SAYS_CHARS = 160
CUT = "…"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A proposal on which the witnesses disagree, or which the model's word alone decides."""

    proposal: Proposal
    #: What is learned if the model confirms it. None: code doubts it, so that it stays suggested.
    confirmed: Proposal | None


@dataclass(frozen=True, kw_only=True)
class Screened:
    """`stated` are facts, `doubtful` are for the user to confirm."""

    stated: list[Proposal]
    doubtful: list[Proposal]
    refused: Counter[Refusal]
    #: About some of these, in the order of the proposals.
    questions: list[Question]


@dataclass(frozen=True, kw_only=True)
class Note:
    """A question as the model reads it: the fact to be noted, and the words that state it."""

    says: str
    passage: str


def list_notes(questions: Sequence[Question], heard: Iterable[Heard]) -> list[Note]:
    """A note for each question, in their order."""
    contents = {message.sequence_number: message.content for message in heard}
    return [
        make_note(each.key, "" if each.retracts else each.value, contents[each.seq])
        for each in (question.proposal for question in questions[:MAX_NOTES])
    ]


def make_note(key: str, value: str, content: str) -> Note:
    """Make a note. An empty `value` says that the fact which the key names has ended."""
    says = f"{key}: {value or 'no longer'}"[:MAX_SAYS_CHARS]
    return Note(says=says, passage=_cut_around(content, value or key.partition("_")[0]))


def render_notes(notes: Iterable[Note]) -> str:
    """The notes as XML for the prompt: a `<note>` for each, by whose number the model answers."""
    return "\n".join(_render(number, note) for number, note in enumerate(notes, start=1))


def _render(number: int, note: Note) -> str:
    says, passage = escape_attribute(note.says), escape_text(note.passage)
    return f'<note n="{number}" says="{says}">{passage}</note>'


def settle(screened: Screened, verdicts: Mapping[int, bool]) -> Screened:
    """Apply the verdicts by the number of the note. A question without a verdict stays as it is."""
    stated, doubtful = list(screened.stated), list(screened.doubtful)
    refused = screened.refused.copy()
    for number, question in enumerate(screened.questions[:MAX_NOTES], start=1):
        is_fact = question.proposal in stated
        verdict = verdicts.get(number)
        if verdict is None or (verdict and (is_fact or question.confirmed is None)):
            continue
        (stated if is_fact else doubtful).remove(question.proposal)
        if verdict and question.confirmed:
            stated.append(question.confirmed)
        elif is_fact and not question.proposal.retracts:
            doubtful.append(doubted(question.proposal))
        else:
            refused["model"] += 1
    return Screened(stated=stated, doubtful=doubtful, refused=refused, questions=[])


def doubted(proposal: Proposal) -> Proposal:
    """The proposal, lowered to a suggestion."""
    return replace(proposal, confidence=min(proposal.confidence, MAX_DOUBTFUL_CONFIDENCE))


def _cut_around(content: str, words: str) -> str:
    """At most `MAX_PASSAGE_CHARS` of a message, around the first of `words` that stands in it."""
    if len(content) <= MAX_PASSAGE_CHARS:
        return content
    folded = content.casefold()
    places = (folded.find(word) for word in words.casefold().split())
    middle = next((place for place in places if place >= 0), 0)
    start = max(0, min(middle - MAX_PASSAGE_CHARS // 2, len(content) - MAX_PASSAGE_CHARS))
    end = start + MAX_PASSAGE_CHARS
    return (CUT if start else "") + content[start:end] + (CUT if end < len(content) else "")
