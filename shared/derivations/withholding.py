"""Withholds what the user asks not to remember, and what says the things they ask to forget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from shared.db import Database, PgConnection
from shared.derivations.invalidation import invalidate_covering
from shared.errors import NothingToDoError
from shared.guard import note_failure
from shared.models import ConversationId, Heard, Message, MessageKey, OpenRound, UserId
from shared.policy.facts.batch import MAX_MESSAGE_CHARS
from shared.policy.facts.utterances import Utterance
from shared.policy.facts.wishes import forget_requests, name_forgotten, unwanted_parts
from shared.policy.ranking.words import weigh_words
from shared.policy.shortening import cut_middle
from shared.store import conversations, messages, projects, users, withheld
from shared.store.facts import sources as fact_sources
from shared.store.facts import suggestions
from shared.store.facts import version_changes as fact_changes
from shared.store.facts import versions as fact_versions
from shared.store.search import candidates, message_vectors

#: What a request names is told by a message with this share of its words, rare ones counting more.
TELLING_SHARE = 0.6
MOST_FACTS = 500  # on record, with which a message is compared
MOST_COUNTED = 2000  # messages with a word, to see how rare it is


def withhold_round(connection: PgConnection, user_id: UserId, message: Message) -> Message:
    """Withhold a new message that asks for it, with its reply, which may repeat it.

    Returns the message as it is then. The caller has locked its conversation.
    """
    if not _is_wish(message.content):
        return message
    round_keys = _with_replies([MessageKey(message.conversation_id, message.sequence_number)])
    withheld.withhold(connection, user_id, round_keys, message.created_at)
    _delete_vectors(connection, round_keys)
    return replace(message, withheld_at=message.created_at)


def forget_at_once(database: Database, chat_round: OpenRound) -> None:
    """Forget what a new message asks for before it is answered, and so without a model.

    An error ends no round: the facts job forgets it as well.
    """
    user_id, message = chat_round.conversation.user_id, chat_round.user_message
    if message.withheld_at is None or chat_round.conversation.mode == "off":
        return
    try:
        heard = _as_heard(message)
        if forget_requests(heard.content):
            with database.transaction(user=user_id) as connection:
                users.lock_user(connection, user_id)
                projects.enter_memory_of(connection, message.conversation_id)
                _end_facts(connection, user_id, heard)
                forget(connection, user_id, message.conversation_id, [heard])
    except Exception as exc:
        note_failure("forget", exc)


def forget(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    heard: Sequence[Heard],
) -> None:
    """Withhold what these messages ask to forget, wherever it was said. Their facts have ended.

    Summaries and episodes that may contain it are written anew. The caller has locked the user, and
    entered the memory of the conversation: what is in another one is not withheld.
    """
    for message in heard:
        key = MessageKey(conversation_id, message.sequence_number)
        if not unwanted_parts(message.content) or _is_undone(connection, key, message):
            continue
        telling = {key, *_list_sources(connection, user_id, message)}
        for request in forget_requests(message.content):
            telling.update(_list_telling(connection, user_id, request, message.created_at))
        _drop_suggestions(connection, user_id, message)
        keys = _with_replies(telling)
        _lock(connection, keys)
        _derive_again(connection, withheld.withhold(connection, user_id, keys, message.created_at))


def remember_again(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> None:
    """Undo the wish of a message. Facts that it has ended hold again, unless there is a newer one.

    Raises `NotFoundError`, and `NothingToDoError` if nothing is withheld for it.
    """
    users.lock_user(connection, user_id)
    conversations.get_conversation(connection, user_id, conversation_id)
    message = messages.get_message(connection, conversation_id, sequence)
    if message.withheld_at != message.created_at:
        raise NothingToDoError
    release(connection, user_id, message)
    projects.enter_memory_of(connection, conversation_id)
    fact_sources.reopen_retracted(connection, user_id, message.created_at)


def release(connection: PgConnection, user_id: UserId, message: Message) -> None:
    """Tell again what was withheld because of a message. The caller has locked the user."""
    keys = withheld.release(connection, user_id, message.created_at)
    _lock(connection, keys)
    _derive_again(connection, keys)


def _is_wish(content: str) -> bool:
    """Whether it asks not to remember something. A text that cannot be read ends no round."""
    try:
        return bool(unwanted_parts(cut_middle(content, MAX_MESSAGE_CHARS, len)))
    except Exception as exc:
        note_failure("wish", exc)
        return False


def _is_undone(connection: PgConnection, key: MessageKey, message: Heard) -> bool:
    """Whether the user has undone its wish, be it while the facts job was under way.

    An imported message was not withheld when it came.
    """
    stored = messages.find_message(connection, *key)
    return not message.is_imported and (stored is None or stored.withheld_at is None)


def _as_heard(message: Message) -> Heard:
    return Heard(
        sequence_number=message.sequence_number,
        role="user",
        content=cut_middle(message.content, MAX_MESSAGE_CHARS, len),
        created_at=message.created_at,
        turn=0,  # not known here, and not read
    )


def _end_facts(connection: PgConnection, user_id: UserId, message: Heard) -> None:
    utterance = Utterance(message)
    for fact in fact_versions.list_recallable(connection, user_id, 0, MOST_FACTS):
        if utterance.asks_to_forget(fact):
            fact_changes.close_fact(connection, user_id, fact, message.created_at)


def _drop_suggestions(connection: PgConnection, user_id: UserId, message: Heard) -> None:
    """Dismiss what waits for the user's word and is to be forgotten."""
    utterance = Utterance(message)
    for suggestion in suggestions.list_suggestions(connection, user_id):
        if utterance.asks_to_forget(suggestion):
            suggestions.dismiss(connection, user_id, suggestion.suggestion_id)


def _list_sources(connection: PgConnection, user_id: UserId, message: Heard) -> list[MessageKey]:
    """The messages that taught the facts which this one asks to forget."""
    utterance = Utterance(message)
    return [
        MessageKey(fact.source_conversation_id, fact.source_sequence)
        for fact in fact_sources.list_ended_at(connection, user_id, message.created_at)
        if fact.source_conversation_id is not None
        and fact.source_sequence is not None
        and utterance.asks_to_forget(fact)
    ]


def _list_telling(
    connection: PgConnection, user_id: UserId, request: str, asked_at: datetime
) -> list[MessageKey]:
    words = name_forgotten(request)
    counted = candidates.count_containing(connection, user_id, words, MOST_COUNTED)
    weights = weigh_words(counted.counts, counted.total)
    if not weights:
        return []
    return candidates.list_telling(
        connection, user_id, weights, share=TELLING_SHARE, before=asked_at
    )


def _with_replies(keys: Collection[MessageKey]) -> list[MessageKey]:
    """Add the reply to each user message."""
    replies = {key._replace(sequence_number=key.sequence_number | 1) for key in keys}
    return sorted(replies.union(keys))


def _lock(connection: PgConnection, keys: Iterable[MessageKey]) -> None:
    for conversation_id in sorted({key.conversation_id for key in keys}):
        conversations.lock_any_conversation(connection, conversation_id)


def _derive_again(connection: PgConnection, keys: Sequence[MessageKey]) -> None:
    _delete_vectors(connection, keys)
    for key in keys:
        invalidate_covering(connection, *key)


def _delete_vectors(connection: PgConnection, keys: Sequence[MessageKey]) -> None:
    sequences: defaultdict[ConversationId, list[int]] = defaultdict(list)
    for key in keys:
        sequences[key.conversation_id].append(key.sequence_number)
    for conversation_id, numbers in sequences.items():
        message_vectors.delete_vectors(connection, conversation_id, numbers)
