"""Gather what one prompt is given: facts, the summary, the newest turns, quotes and episodes.

This only reads. The one exception: turns that Redis has lost are written back to Redis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NoReturn

from shared.db import PgConnection
from shared.embeddings import model_name
from shared.guard import Guard
from shared.llm import count_tokens
from shared.metrics.counters import GAP_MESSAGES
from shared.models import (
    Anchor,
    ConversationId,
    Episode,
    Fact,
    OpenRound,
    Passage,
    Point,
    Query,
    Quote,
    Span,
    Summary,
)
from shared.models.attachments import FilePassage
from shared.policy.attachments.quoted import choose_passages
from shared.policy.attachments.rendering import EARLIER_MESSAGES
from shared.policy.branches import list_shared
from shared.policy.budget import Room
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.policy.ranking.passages import Ranked
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.recalled import Recalled
from shared.policy.verbatim import Verbatim, choose_verbatim
from shared.recall.encoder import ENCODE_TIMEOUT_S, Encoder, Wait
from shared.recall.episodes import read_episodes, search_episodes
from shared.recall.messages import search_messages
from shared.recall.newest_turns import newest_turns
from shared.recall.query import Reading, read_query
from shared.recall.quotes import amount_for, choose_quotes
from shared.recall.spelling import correct_spelling
from shared.services import Services
from shared.settings import Settings
from shared.store import branches, summaries
from shared.store.facts import versions as fact_versions
from shared.store.search import candidates
from shared.time_zones import zone_of
from shared.timing import Steps

MAX_FACTS = 100


@dataclass(frozen=True, kw_only=True)
class Matches:
    #: Messages, best first.
    relevant: Sequence[Ranked] = ()
    quotes: Sequence[Quote] = ()
    #: Of files.
    passages: Sequence[FilePassage] = ()


@dataclass(frozen=True, kw_only=True)
class Given:
    """The messages that the prompt contains word for word."""

    #: By conversation: the round's own, and those that it branched from.
    spans: Mapping[str, Span]
    #: The files of this message of the round's own conversation, and of all later ones, are shown.
    files_from: int = 0

    def contains(self, passage: Passage) -> bool:
        span = self.spans.get(passage.conversation_id)
        return span is not None and span.start <= passage.sequence_number <= span.end

    def shown_files(self) -> dict[str, Span]:
        """The messages whose files the prompt shows beside the message to answer."""
        from_there = {one: max(span.start, self.files_from) for one, span in self.spans.items()}
        return {
            one: Span(start=start, end=self.spans[one].end) for one, start in from_there.items()
        }


NOTHING_GIVEN = Given(spans={})


def recall(
    services: Services, encoder: Encoder, opened: OpenRound, steps: Steps, room: Room
) -> Recalled:
    """Recall what the reply to `opened` needs to know. Empty if memory is switched off.

    Never raises. If a step fails, its results are missing.
    """
    settings, own = services.settings, opened.conversation
    if not settings.enable_memory:
        return Recalled()
    query = _query_of(opened)
    with Guard(services.database, own.user_id, steps, settings.recall_timeout_s) as guard:
        if own.mode != "active":
            start = _read_anchor(guard, opened).start
            guard.release()
            verbatim = _choose_turns(guard, services, opened, Anchor(start=start), room)
            return Recalled(verbatim=verbatim, failed=tuple(guard.failed))
        encoding = _begin(encoder, query.text)
        facts = _list_facts(guard, query, settings)
        anchor = _read_anchor(guard, opened)
        if opened.is_stored and "summary" not in guard.failed:
            GAP_MESSAGES.observe(opened.user_message.sequence_number - _gap_start(anchor))
        reading = _read_query(guard, encoder, query)
        guard.release()
        verbatim = _choose_turns(guard, services, opened, anchor, room)
        reading = guard.run("embed_query", reading, _embed, reading, encoder, encoding, settings)
        given = _own(opened, verbatim)
        if own.branched_from is not None:
            given = guard.read("branches", given, _with_copied, own.conversation_id, given)
        summary = _find_summary(guard, own.conversation_id, anchor, verbatim)
        found = _find_related(guard, reading, given, settings)
    return replace(
        found,
        has_memory=True,
        facts=facts,
        memory_id=summary.memory_id if summary else None,
        summary_end=summary.end_sequence if summary else None,
        points=_points(summary, opened),
        verbatim=verbatim,
        failed=tuple(guard.failed),
    )


def recall_for_question(
    services: Services, encoder: Encoder, query: Query, steps: Steps
) -> Recalled:
    """As `recall`, for a question that belongs to no conversation here: no summary, no turns."""
    settings = services.settings
    if not settings.enable_memory:
        return Recalled()
    encoding = _begin(encoder, query.text)
    with Guard(services.database, query.user_id, steps, settings.recall_timeout_s) as guard:
        facts = _list_facts(guard, query, settings)
        reading = _read_query(guard, encoder, query)
        guard.release()
        reading = guard.run("embed_query", reading, _embed, reading, encoder, encoding, settings)
        found = _find_related(guard, reading, NOTHING_GIVEN, settings)
    return replace(found, facts=facts, failed=tuple(guard.failed))


def _list_facts(guard: Guard, query: Query, settings: Settings) -> Sequence[Fact]:
    """Without those whose last day has passed, which the next tidying ends."""
    least, today = settings.fact_recall_importance, query.asked_at.date()
    facts: Sequence[Fact] = guard.read(
        "facts", (), fact_versions.list_recallable, query.user_id, least, MAX_FACTS
    )
    return [fact for fact in facts if fact.holds_on(today)]


def _read_query(guard: Guard, encoder: Encoder, query: Query) -> Reading:
    reading = guard.read("question", Reading.literal(query), read_query, query)
    return guard.read("spelling", reading, correct_spelling, reading, encoder.knows)


def _find_related(guard: Guard, reading: Reading, given: Given, settings: Settings) -> Recalled:
    """The quotes, passages and episodes that match the query, without what is in `given`."""
    found = guard.read("messages", Matches(), _match_messages, reading, given)
    episodes: Sequence[Episode] = guard.read(
        "episodes", (), _match_episodes, reading.query, found.relevant, given, settings.recall_top_k
    )
    return Recalled(
        episodes=episodes,
        quotes=found.quotes,
        quote_tokens=amount_for(reading.question).tokens,
        passages=found.passages,
        corrected=reading.corrections,
    )


def _read_anchor(guard: Guard, opened: OpenRound) -> Anchor:
    own, asked = opened.conversation, opened.user_message
    return guard.read(
        "summary", Anchor(), summaries.find_anchor, own.conversation_id, asked.sequence_number
    )


def _choose_turns(
    guard: Guard, services: Services, opened: OpenRound, anchor: Anchor, room: Room
) -> Verbatim:
    gap_start = _gap_start(anchor)
    own, before = opened.conversation, opened.repeats_from
    if before < opened.user_message.sequence_number:  # the client itself chooses recent turns
        room = replace(room, recent=0)

    def choose() -> Verbatim:
        turns = newest_turns(services, own.user_id, own.conversation_id, before, gap_start)
        count = count_tokens(services.models.settings().chat_model)
        return choose_verbatim(turns, gap_start, room, count, anchor.start)

    return guard.run("turns", Verbatim(), choose)


def _find_summary(
    guard: Guard, own_id: ConversationId, anchor: Anchor, verbatim: Verbatim
) -> Summary | None:
    """The summary that the prompt's turns rest on: the same for as long as they begin alike."""
    start = verbatim.turns[0].seq if verbatim.turns else 0
    if start == anchor.start:
        return anchor.summary or anchor.newest
    if not start or anchor.newest is None:
        return anchor.newest
    found = guard.read("summary", None, summaries.find_summary_before, own_id, start)
    return found or anchor.newest


def _gap_start(anchor: Anchor) -> int:
    return anchor.newest.end_sequence + 1 if anchor.newest else 0


def _points(summary: Summary | None, opened: OpenRound) -> Sequence[Point]:
    """The points about messages that the prompt does not repeat."""
    points = summary.points if summary else ()
    return [point for point in points if point.first < opened.repeats_from]


def _query_of(opened: OpenRound) -> Query:
    asked = opened.user_message
    return Query(
        user_id=opened.conversation.user_id,
        text=opened.question,
        asked_at=asked.created_at.astimezone(zone_of(opened.time_zone)),
        is_message=opened.is_stored,
    )


def _begin(encoder: Encoder, text: str) -> Wait:
    """Begin to embed a text. An error is raised by the step that waits for it."""
    try:
        return encoder.begin(text)
    except Exception as exc:
        return partial(_raise, exc)


def _raise(exc: Exception, _timeout_s: float) -> NoReturn:
    raise exc


def _embed(reading: Reading, encoder: Encoder, encoding: Wait, settings: Settings) -> Reading:
    """`encoding` is of the text as it was typed, which is what most queries are embedded by."""
    wanted = reading.question.for_meaning
    is_typed = wanted == reading.query.text and not reading.corrections
    encoded = (encoding if is_typed else encoder.begin(wanted))(ENCODE_TIMEOUT_S)
    query = replace(reading.query, encoded=encoded, model=model_name(settings))
    return replace(reading, query=query)


def _own(opened: OpenRound, verbatim: Verbatim) -> Given:
    start = verbatim.turns[0].seq if verbatim.turns else opened.repeats_from
    span = Span(start=start, end=opened.user_message.sequence_number)
    shown = EARLIER_MESSAGES if opened.client is None else -1  # a client sends its own files
    return Given(
        spans={opened.conversation.conversation_id: span}, files_from=max(0, span.end - shown)
    )


def _with_copied(connection: PgConnection, own_id: ConversationId, own: Given) -> Given:
    """With the messages that the branch has copies of."""
    shared = list_shared(branches.list_family(connection, own_id), own_id)
    start = own.spans[own_id].start
    copied: dict[str, Span] = {
        other: Span(start=max(start, span.start), end=span.end) for other, span in shared.items()
    }
    return replace(own, spans={**own.spans, **copied})


def _match_messages(connection: PgConnection, reading: Reading, given: Given) -> Matches:
    """All relevant messages that are not in `given`, and quotes of the best of them.

    Passages of files are relevant or not by the same measure.
    """
    found = search_messages(connection, reading, given.shown_files())
    others = [one for one in found.ranked if not given.contains(one.passage)]
    chosen = choose_relevant(others, found.criteria)
    relevant = found.only_messages(chosen)
    user_id = reading.query.user_id
    return Matches(
        relevant=relevant,
        quotes=choose_quotes(connection, user_id, relevant, others, found.criteria),
        passages=choose_passages(found.only_files(chosen)),
    )


def _match_episodes(
    connection: PgConnection,
    query: Query,
    relevant: Sequence[Ranked],
    given: Given,
    limit: int,
) -> Sequence[Episode]:
    candidates.prepare_search(connection)
    found = leave_out_given(search_episodes(connection, query, relevant), given.spans)
    return read_episodes(connection, query.user_id, rank_episodes(found, limit))
