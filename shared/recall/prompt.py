"""Gather what one prompt is given: facts, the summary, the newest turns, quotes and episodes.

This only reads. The one exception: turns that Redis has lost are written back to Redis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NoReturn

from shared.embeddings.model_properties import model_name
from shared.guard import Guard
from shared.llm import count_tokens
from shared.metrics.counters import GAP_MESSAGES
from shared.models import (
    Anchor,
    ConversationId,
    Episode,
    Fact,
    OpenRound,
    Point,
    Query,
    Summary,
)
from shared.policy.budget import Room
from shared.policy.facts.small_talk import is_small_talk
from shared.policy.recalled import Recalled
from shared.policy.verbatim import Verbatim, choose_verbatim
from shared.recall.encoder import ENCODE_TIMEOUT_S, Encoder, Wait
from shared.recall.episodes import read_episodes
from shared.recall.matches import Matches, match_episodes, match_messages
from shared.recall.newest_turns import newest_turns
from shared.recall.prompt_content import Given, given_to, with_branches
from shared.recall.query import Reading, read_query
from shared.recall.quotes import amount_for
from shared.recall.spelling import correct_spelling
from shared.services import Services
from shared.settings import Settings
from shared.store import summaries
from shared.store.facts import versions as fact_versions
from shared.time_zones import zone_of
from shared.timing import Steps

MAX_FACTS = 100
RECALL_TOP_K = 3  # episodes; what else is known of a question comes as quotes, while there is room
#: Facts from this importance on are given to every prompt; models call small things 0.3 or less.
FACT_RECALL_IMPORTANCE = 0.5


def recall(
    services: Services, encoder: Encoder, chat_round: OpenRound, steps: Steps, room: Room
) -> Recalled:
    """Recall what the reply to `chat_round` needs to know. Empty if memory is switched off.

    Never raises. If a step fails, its results are missing.
    """
    settings, conversation = services.settings, chat_round.conversation
    if not settings.enable_memory:
        return Recalled()
    query = _query_of(chat_round)
    with Guard(
        services.database, query.user_id, steps, services.recall_timeout_s, query.memory
    ) as guard:
        if conversation.mode != "active":
            start = _read_anchor(guard, chat_round).start
            guard.release()
            verbatim = _choose_turns(guard, services, chat_round, Anchor(start=start), room)
            return Recalled(verbatim=verbatim, failed=tuple(guard.failed))
        encoding = _begin(encoder, query.text)
        facts = _list_facts(guard, query)
        anchor = _read_anchor(guard, chat_round)
        if chat_round.is_stored and "summary" not in guard.failed:
            GAP_MESSAGES.observe(chat_round.user_message.sequence_number - _gap_start(anchor))
        reading = _read_query(guard, encoder, query, settings)
        guard.release()
        verbatim = _choose_turns(guard, services, chat_round, anchor, room)
        reading = guard.run("embed_query", reading, _embed, reading, encoder, encoding, settings)
        prompt_content = given_to(chat_round, verbatim, anchor if room.recent else None, settings)
        prompt_content = guard.read(
            "branches", prompt_content, with_branches, conversation.conversation_id, prompt_content
        )
        summary = _find_summary(guard, conversation.conversation_id, anchor, verbatim)
        recalled = _find_related(guard, reading, prompt_content)
    return replace(
        recalled,
        facts=[fact for fact in facts if prompt_content.may_state(fact)],
        memory_id=summary.memory_id if summary else None,
        summary_end=summary.end_sequence if summary else None,
        points=_points(summary, chat_round),
        verbatim=verbatim,
        failed=tuple(guard.failed),
    )


def recall_for_question(
    services: Services, encoder: Encoder, query: Query, steps: Steps, tokens: int = 0
) -> Recalled:
    """Recall for a question that belongs to no conversation here: no summary, no turns.

    `tokens` is how long the memory may be. There are quotes for all of it.
    """
    settings = services.settings
    if not settings.enable_memory:
        return Recalled()
    encoding = _begin(encoder, query.text)
    with Guard(
        services.database, query.user_id, steps, services.recall_timeout_s, query.memory
    ) as guard:
        facts = _list_facts(guard, query)
        reading = _read_query(guard, encoder, query, settings)
        guard.release()
        reading = guard.run("embed_query", reading, _embed, reading, encoder, encoding, settings)
        nothing_given = Given(spans={}, own_secrets=settings.own_secrets)
        recalled = _find_related(guard, reading, nothing_given, tokens)
    return replace(recalled, facts=facts, failed=tuple(guard.failed))


def _list_facts(guard: Guard, query: Query) -> Sequence[Fact]:
    """Without those whose last day has passed, which the next tidying ends."""
    facts: Sequence[Fact] = guard.read(
        "facts",
        (),
        fact_versions.list_recallable,
        query.user_id,
        FACT_RECALL_IMPORTANCE,
        MAX_FACTS,
    )
    return [fact for fact in facts if fact.holds_on(query.asked_at.date())]


def _read_query(guard: Guard, encoder: Encoder, query: Query, settings: Settings) -> Reading:
    reading = guard.read("question", Reading.literal(query), read_query, query)
    correct = partial(correct_spelling, patterns=settings.own_secrets)
    return guard.read("spelling", reading, correct, reading, encoder.knows)


def _find_related(
    guard: Guard, reading: Reading, prompt_content: Given, tokens: int = 0
) -> Recalled:
    """The quotes, passages and episodes that match the query, without those in `prompt_content`.

    Thanks and greetings match nothing: a small model would answer the quotes.
    `tokens`: for quotes, if there is more room for them than in a prompt here.
    """
    if is_small_talk(reading.query.text):
        standing: Sequence[Episode] = guard.read(
            "episodes", (), read_episodes, reading.query.user_id, (), prompt_content
        )
        return Recalled(episodes=standing, standing=prompt_content.choose_standing(standing))
    matches = guard.read("messages", Matches(), match_messages, reading, prompt_content, tokens)
    episodes: Sequence[Episode] = guard.read(
        "episodes",
        (),
        match_episodes,
        reading.query,
        matches,
        prompt_content,
        RECALL_TOP_K,
    )
    return Recalled(
        episodes=episodes,
        standing=prompt_content.choose_standing(episodes),
        quotes=matches.quotes,
        quote_tokens=amount_for(reading.question, tokens).tokens,
        days_between=matches.days_between,
        passages=matches.passages,
        corrected=reading.corrections,
    )


def _read_anchor(guard: Guard, chat_round: OpenRound) -> Anchor:
    conversation, message = chat_round.conversation, chat_round.user_message
    return guard.read(
        "summary",
        Anchor(),
        summaries.find_anchor,
        conversation.conversation_id,
        message.sequence_number,
    )


def _choose_turns(
    guard: Guard, services: Services, chat_round: OpenRound, anchor: Anchor, room: Room
) -> Verbatim:
    gap_start = _gap_start(anchor)
    conversation, before = chat_round.conversation, chat_round.repeats_from
    if before < chat_round.user_message.sequence_number:  # the client itself chooses recent turns
        room = replace(room, recent=0)

    def choose() -> Verbatim:
        turns = newest_turns(
            services, conversation.user_id, conversation.conversation_id, before, gap_start
        )
        count = count_tokens(services.models.settings().chat_model)
        return choose_verbatim(turns, gap_start, room, count, anchor.start)

    return guard.run("turns", Verbatim(), choose)


def _find_summary(
    guard: Guard, conversation_id: ConversationId, anchor: Anchor, verbatim: Verbatim
) -> Summary | None:
    """The summary that the prompt's turns rest on: the same for as long as they begin alike."""
    start = verbatim.start
    if start == anchor.start:
        return anchor.summary or anchor.newest
    if not start or anchor.newest is None:
        return anchor.newest
    summary = guard.read("summary", None, summaries.find_summary_before, conversation_id, start)
    return summary or anchor.newest


def _gap_start(anchor: Anchor) -> int:
    return anchor.newest.end_sequence + 1 if anchor.newest else 0


def _points(summary: Summary | None, chat_round: OpenRound) -> Sequence[Point]:
    """The points about messages that the prompt does not repeat."""
    points = summary.points if summary else ()
    return [point for point in points if point.first < chat_round.repeats_from]


def _query_of(chat_round: OpenRound) -> Query:
    message = chat_round.user_message
    return Query(
        user_id=chat_round.conversation.user_id,
        text=chat_round.question,
        asked_at=message.created_at.astimezone(zone_of(chat_round.time_zone)),
        is_message=chat_round.is_stored,
        memory=chat_round.memory,
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
    text = reading.question.for_meaning
    is_typed = text == reading.query.text and not reading.corrections
    encoded = (encoding if is_typed else encoder.begin(text))(ENCODE_TIMEOUT_S)
    query = replace(reading.query, encoded=encoded, model=model_name(settings))
    return replace(reading, query=query)
