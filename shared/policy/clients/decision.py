"""Decides what a client's request is: a new message, the same one again, or another branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shared.models import ConversationId
from shared.models.clients import ClientMessage, StoredRound, StoredRun
from shared.policy.clients.client_messages import ClientHistory, ClientRound
from shared.policy.clients.digests import BEGINNING, digests_of_beginnings
from shared.policy.clients.recognition import Place, is_same_question, list_places


@dataclass(frozen=True, kw_only=True)
class Append:
    """The message is new. `conversation_id` None: it begins a conversation."""

    conversation_id: ConversationId | None
    #: Past rounds that are stored nowhere yet.
    missing: tuple[ClientRound, ...]
    #: What is to be stored of the new message.
    request: tuple[ClientMessage, ...]
    #: The chain before the first missing round.
    chain: str
    #: The oldest stored message that the request repeats. None: none, or in another conversation.
    repeats_from: int | None


@dataclass(frozen=True, kw_only=True)
class Again:
    """The newest message was sent again: its reply is to be written anew."""

    conversation_id: ConversationId
    #: Of the reply.
    sequence: int
    repeats_from: int | None


@dataclass(frozen=True, kw_only=True)
class Underway:
    """The same request is being answered, or was just answered."""

    conversation_id: ConversationId
    #: Of the reply.
    sequence: int


Decision: TypeAlias = Append | Again | Underway
# What loses least comes first, among places that know equally much.
_ORDER: tuple[type[Decision], ...] = (Underway, Append, Again)


def decide(history: ClientHistory, runs: Sequence[StoredRun]) -> Decision:
    """Decide by the rounds that the request repeats. `runs` may be the conversation's."""
    places = list_places(history.past, runs, is_named=False)
    best = [place for place in places if _worth(place) == _worth(places[0])]
    decisions = [_at(place, history) for place in best]
    continued = [decision for decision in decisions if decision is not None]
    if continued:
        return min(continued, key=lambda decision: _ORDER.index(type(decision)))
    if best:
        return _fork(best[0], history)
    return Append(
        conversation_id=None,
        missing=history.past,
        request=history.current.request,
        chain=BEGINNING,
        repeats_from=0 if history.past else None,
    )


def decide_named(history: ClientHistory, run: StoredRun) -> Decision:
    """Decide where the conversation is named: the message is stored there, wherever it belongs."""
    places = list_places(history.past, [run], is_named=True)
    decision = _at(places[0], history) if places else None
    if decision is not None:
        return decision
    newest = run.rounds[-1] if run.rounds else None
    if (
        newest
        and newest.is_empty
        and not history.past
        and is_same_question(newest, history.current)
    ):
        return _resent(run, newest, None)
    end = newest.sequence + 2 if newest else 0
    repeats_from = places[0].first if places else (end if history.past else None)
    return Append(
        conversation_id=run.conversation_id,
        missing=() if places else history.past,
        request=history.current.request,
        chain=next(
            (stored_round.chain for stored_round in reversed(run.rounds) if stored_round.chain),
            BEGINNING,
        ),
        repeats_from=repeats_from,
    )


def decide_resent(history: ClientHistory, runs: Sequence[StoredRun]) -> Decision | None:
    """Decide for a first message that the client says to have sent before. None: it has not."""
    for run in runs:
        if len(run.rounds) == 1 and is_same_question(run.rounds[0], history.current):
            only = run.rounds[0]
            if only.is_open or not only.is_empty:
                return Underway(conversation_id=run.conversation_id, sequence=only.sequence + 1)
            return _resent(run, only, None)
    return None


def _worth(place: Place) -> tuple[int, int]:
    return place.known, place.rounds


def _at(place: Place, history: ClientHistory) -> Decision | None:
    """None: the conversation has gone on from this place with something else."""
    following, missing = place.following, history.past[place.known :]
    if not place.run.reaches_end:
        return None
    is_resent = len(following) == 1 and not missing
    if is_resent and is_same_question(following[0], history.current):
        return _resent(place.run, following[0], place.first)
    if not place.is_end:
        return None
    return Append(
        conversation_id=place.run.conversation_id,
        missing=missing,
        request=_without_stored(history.current.request, following),
        chain=place.chain,
        repeats_from=place.first,
    )


def _resent(run: StoredRun, stored: StoredRound, first: int | None) -> Decision:
    conversation_id, sequence = run.conversation_id, stored.sequence + 1
    if stored.is_open:
        return Underway(conversation_id=conversation_id, sequence=sequence)
    return Again(conversation_id=conversation_id, sequence=sequence, repeats_from=first)


def _fork(place: Place, history: ClientHistory) -> Append:
    """Another branch begins a conversation of its own, without what both have in common."""
    return Append(
        conversation_id=None,
        missing=history.past[place.known :],
        request=history.current.request,
        chain=place.chain,
        repeats_from=0,
    )


def _without_stored(
    messages: tuple[ClientMessage, ...], unanswered: Sequence[StoredRound]
) -> tuple[ClientMessage, ...]:
    """Clients send a message that got no answer again, together with the next one."""
    for stored in unanswered:
        for count, digest in enumerate(digests_of_beginnings(messages[:-1])):
            if count and stored.digest == digest:
                messages = messages[count:]
                break
    return messages
