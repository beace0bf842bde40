"""Recognises the conversation that a client continues, by the rounds that it resends.

A request belongs to a stored conversation if its past rounds were stored there, one after the
other. The replies must agree as well as the questions: many conversations begin with "hi".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.models.clients import StoredRound, StoredRun
from shared.policy.clients.client_messages import ClientRound, calls_of
from shared.policy.clients.digests import chains_of, digest_asked, normalise, normalise_reply

# A client that says much elsewhere, and then drops its oldest messages, too, is not recognised.
NEWEST = 4  # so many of its newest rounds are looked for by their replies
# So many characters in common are no accident. "Thanks!" and "You're welcome." may be one.
EVIDENCE_CHARS = 60


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where the past rounds of a request are stored."""

    run: StoredRun
    #: The place in `run` of the newest known round.
    at: int
    #: How many of the request's past rounds are known. The rest is stored nowhere yet.
    known: int
    #: How many of them, without a break, are in `run`.
    rounds: int
    #: The sequence number of the oldest stored round that the request repeats.
    first: int
    #: The chain of all that the client had said, up to this place.
    chain: str

    @property
    def following(self) -> Sequence[StoredRound]:
        return self.run.rounds[self.at + 1 :]

    @property
    def is_end(self) -> bool:
        """Whether no round after this place has an answer, or is still being answered."""
        return all(
            stored_round.is_empty and not stored_round.is_open for stored_round in self.following
        )


@dataclass(frozen=True, kw_only=True)
class _Agreement:
    """How a stored run and a request agree, read backwards from one round."""

    first: int
    rounds: int
    #: How many of these rounds have the same reply, and the same question as well.
    replies: int
    whole: int
    chars: int
    has_calls: bool


def list_places(
    past: Sequence[ClientRound], runs: Sequence[StoredRun], *, is_named: bool
) -> list[Place]:
    """All places where the request may continue; those that know and share most come first.

    `is_named`: the client has named the conversation, so that a short agreement is enough.
    """
    chains = chains_of(past)
    places = [
        place
        for run in runs
        for at, known in _pairs(run, past, chains)
        if (place := _check(run, at, past[: known + 1], chains, is_named=is_named))
    ]
    return sorted(places, key=lambda place: (place.known, place.rounds, place.at), reverse=True)


def is_same_question(stored: StoredRound, question: ClientRound) -> bool:
    if stored.digest is not None and stored.digest == digest_asked(question.request):
        return True
    return bool(question.text.strip()) and normalise(stored.question) == normalise(question.text)


def is_same_reply(stored: StoredRound, client: ClientRound) -> bool:
    """Whether a client's reply and a stored one may be the same: each may have been cut off."""
    if stored.calls:
        return stored.calls == calls_of(client.reply)
    ours, theirs = normalise_reply(stored.reply), normalise_reply(client.reply_text)
    return bool(ours and theirs) and (ours.startswith(theirs) or theirs.startswith(ours))


def _pairs(
    run: StoredRun, past: Sequence[ClientRound], chains: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """(place in the run, place in `past`) of rounds that may be the same one."""
    for at, stored in enumerate(run.rounds):
        if stored.is_empty:
            continue
        for known, client in enumerate(past):
            is_new = known >= len(past) - NEWEST
            if stored.chain == chains[known] or (is_new and is_same_reply(stored, client)):
                yield at, known


def _check(
    run: StoredRun,
    at: int,
    past: Sequence[ClientRound],
    chains: Sequence[str],
    *,
    is_named: bool,
) -> Place | None:
    """The place, unless the rounds before it differ or are too few to be sure.

    `past` ends with the round that may be the one at `at`; `chains` are of the whole request.
    """
    stored, chain = run.rounds[at], chains[len(past) - 1]
    agreed = _agree(run.rounds[: at + 1], past)
    in_chain = stored.chain == chain
    if in_chain:
        is_same = is_same_reply(stored, past[-1]) or (agreed.rounds > 1 and agreed.replies > 0)
    else:
        is_same = agreed.whole == agreed.rounds
    is_sure = is_named or (in_chain and len(past) == len(chains))
    has_evidence = agreed.has_calls or agreed.chars >= EVIDENCE_CHARS
    if not (is_same and (is_sure or has_evidence)):
        return None
    return Place(
        run=run,
        at=at,
        known=len(past),
        rounds=agreed.rounds,
        first=agreed.first,
        chain=stored.chain or chain,
    )


def _agree(stored: Sequence[StoredRound], past: Sequence[ClientRound]) -> _Agreement:
    stored_rounds = [stored_round for stored_round in reversed(stored) if not stored_round.is_empty]
    pairs = list(zip(stored_rounds, reversed(past), strict=False))
    same = [pair for pair in pairs if is_same_reply(*pair)]
    whole = [pair for pair in same if _is_like_question(*pair)]
    return _Agreement(
        first=pairs[-1][0].sequence,
        rounds=len(pairs),
        replies=len(same),
        whole=len(whole),
        chars=sum(_common_chars(*pair) for pair in whole),
        has_calls=any(ours.calls for ours, _ in whole),
    )


def _is_like_question(stored: StoredRound, client: ClientRound) -> bool:
    """Clients cut off what they had put around a question, such as texts that they had found.

    The oldest round of a client that drops its old messages may have lost its question.
    """
    if not client.request or is_same_question(stored, client):
        return True
    ours, theirs = normalise(stored.question), normalise(client.text)
    return bool(ours and theirs) and (ours in theirs or theirs in ours)


def _common_chars(stored: StoredRound, client: ClientRound) -> int:
    question_chars = min(len(stored.question), len(client.text))
    return question_chars + min(len(stored.reply), len(client.reply_text))
