"""The end of a round: one short transaction, then Redis and the broker, which may fail."""

from __future__ import annotations

from shared.db import PgConnection
from shared.llm import Usage
from shared.models import ConversationId, Due, Mode, Outcome
from shared.policy import window
from shared.policy.episodes import EpisodeRule, episode_span
from shared.settings import Settings
from shared.store import conversations, extractions, memory, messages, usage
from shared.store import episodes as store_episodes

# The replies from which memory is made. A failed one is likely to be tried again.
KEPT = ("complete", "partial")


def close_round(
    connection: PgConnection,
    *,
    conversation_id: ConversationId,
    mode: Mode,
    sequence: int,
    fencing_token: int,
    outcome: Outcome,
    settings: Settings,
) -> list[Due] | None:
    """Put the reply in place and claim what is due. None: somebody else has closed this round."""
    if not messages.close_reply(connection, conversation_id, sequence, fencing_token, outcome):
        return None
    conversations.advance(connection, conversation_id, sequence)
    _count_tokens(connection, conversation_id, outcome)
    if mode == "off" or not settings.enable_memory:
        return []
    if outcome.status not in KEPT:
        return _claimed(claim_facts(connection, conversation_id, sequence, settings))
    return claim_due(connection, conversation_id, sequence, settings)


def claim_due(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> list[Due]:
    """Insert a `processing` row for each derivation that is due and not being worked on."""
    return _claimed(
        _claim_summary(connection, conversation_id, last_saved, settings),
        claim_episode(connection, conversation_id, last_saved, settings),
        claim_facts(connection, conversation_id, last_saved, settings),
    )


def _count_tokens(
    connection: PgConnection, conversation_id: ConversationId, outcome: Outcome
) -> None:
    """What a reply has cost; one that was stopped or failed does not tell."""
    if outcome.model is not None and outcome.tokens_in + outcome.tokens_out > 0:
        spent = Usage(
            tokens_in=outcome.tokens_in, tokens_out=outcome.tokens_out, model=outcome.model
        )
        usage.add_usage(connection, conversation_id, "reply", spent)


def _claim_summary(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    if not window.summary_due(last_saved, settings.memory_summarize_after_seq):
        return None
    span = window.summary_span(last_saved, settings.memory_rolling_window_size)
    return memory.claim_summary(connection, conversation_id, span, settings.dispatch_grace_s)


def claim_episode(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    """The next span of messages that is to be closed, if there is one and nobody is at it."""
    first_pending = store_episodes.find_first_pending(connection, conversation_id)
    span = episode_span(first_pending, last_saved, episode_rule(settings))
    if span is None:
        return None
    return store_episodes.claim_episode(
        connection, conversation_id, span, settings.dispatch_grace_s
    )


def claim_facts(
    connection: PgConnection, conversation_id: ConversationId, last_saved: int, settings: Settings
) -> Due | None:
    """Up to the newest user message; its words count whatever became of the reply."""
    end = last_saved - last_saved % 2
    return extractions.claim_extraction(connection, conversation_id, end, settings.dispatch_grace_s)


def episode_rule(settings: Settings) -> EpisodeRule:
    return EpisodeRule(
        trigger=settings.episode_trigger_turns,
        keep=settings.episode_keep_turns,
        window_limit=settings.memory_window_limit,
    )


def _claimed(*claims: Due | None) -> list[Due]:
    return [due for due in claims if due is not None]
