"""Whether what the user said ends a fact: "I sold the car"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.policy.facts.grounding.evidence import count_overlap, list_parts
from shared.policy.facts.grounding.words import read_words
from shared.policy.facts.labels import read_labels
from shared.policy.facts.plain_sentences import list_stems
from shared.policy.facts.proposals import LabeledProposal, Outcome, Proposal
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.utterances import Utterance
from shared.policy.folding import fold


def judge_end(
    fact: LabeledProposal,
    proposal: Proposal,
    recorded: Sequence[str],
    utterances: Sequence[Utterance],
) -> tuple[Proposal, Outcome]:
    """An end needs the thing's name or key in a message, and the model's word.

    What may harm, such as an allergy, needs the words of the message as well. `recorded` are the
    values in its slot.
    """
    word = read_labels(fact)
    if word == "not_meant":
        return proposal, "model"
    about = list_parts(" ".join([fact.value, *recorded, fact.key.replace("_", " ")]))
    naming = [each for each in utterances if count_overlap(about, each.own_words.forms)]
    if proposal.category == "constraint":
        naming = [each for each in naming if _ends_in_words(fact, each)]
    if not naming:
        return proposal, "ungrounded"
    if word == "unsure":
        return proposal, "untrusted"
    message = max(
        (each.message for each in naming),
        key=lambda message: (message.sequence_number == fact.seq, message.turn),
    )
    is_recorded = any(_is_like(fact.value, value) for value in recorded)
    value = "" if is_recorded else proposal.value
    return replace(proposal, value=value, seq=message.sequence_number), "stated"


def _ends_in_words(fact: LabeledProposal, utterance: Utterance) -> bool:
    """Whether the quote stands in the message, with a word for what the key is about: allergy."""
    _, key = normalize_slot(fact.category, fact.key, "")
    stems = list_stems(key.partition("_")[0])
    is_about = not stems or any(stem in utterance.own_words.folded for stem in stems)
    return is_about and bool(fact.quote) and utterance.says(fact.quote)


def _is_like(value: str, other: str) -> bool:
    """Whether one value contains the other, as "a blue Skoda" contains "Skoda"."""
    words, others = ({word.text for word in read_words(fold(each))} for each in (value, other))
    return bool(words and others) and (words <= others or others <= words)
