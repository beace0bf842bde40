"""Replies that say again what is deleted: of a fact, of messages, of a whole chat."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection
from shared.models import ConversationId, Fact, MessageKey, UserId
from shared.policy.branches import list_holders
from shared.policy.quoting import MAX_QUOTED_CHARS, cut
from shared.policy.reuse import Answered, repeats_value
from shared.store import branches
from shared.store.search import file_passages, passages
from shared.store.upkeep import informed_replies
from shared.store.upkeep.informed_replies import InformedReply, Sources


def find_sources(
    connection: PgConnection, versions: Sequence[Fact], taught: Sequence[MessageKey]
) -> Sources:
    """The fact, and the messages that `taught` it."""
    homes = [home for key in taught for home in list_homes(connection, key)]
    return Sources(
        fact_ids=[version.fact_id for version in versions],
        messages=homes,
        episodes=informed_replies.find_episodes(connection, homes),
        with_own_conversations=True,
    )


def list_repeating_fact(
    connection: PgConnection, user_id: UserId, versions: Sequence[Fact], sources: Sources
) -> list[InformedReply]:
    """Replies that were given one of the fact's sources, and say its value."""
    return [
        reply
        for reply in informed_replies.list_informed(connection, user_id, sources)
        if any(repeats_value(version.value, reply.text) for version in versions)
    ]


def list_quoting_messages(
    connection: PgConnection, user_id: UserId, keys: Sequence[MessageKey]
) -> list[InformedReply]:
    """Replies of other places that were given one of these messages, and say some of it."""
    replies = _list_quoting(connection, user_id, Sources(messages=keys))
    return [reply for reply in replies if reply.key not in keys]


def list_quoting_conversations(
    connection: PgConnection, user_id: UserId, ids: Sequence[ConversationId]
) -> list[InformedReply]:
    """Replies of other conversations that were given a part of these, and say some of it."""
    return _list_quoting(connection, user_id, conversation_sources(connection, ids))


def conversation_sources(connection: PgConnection, ids: Sequence[ConversationId]) -> Sources:
    episodes = informed_replies.find_episodes(connection, (), ids)
    return Sources(conversations=ids, episodes=episodes)


def forget_reasoning(
    connection: PgConnection, user_id: UserId, sources: Sources, patterns: Sequence[str] = ()
) -> None:
    """Delete what was thought before replies that were given one of the sources. The replies stay.

    What matches one of the LIKE patterns is deleted, too.
    """
    informed = informed_replies.list_informed(connection, user_id, sources)
    thought = [reply for reply in informed if "reasoning" in reply.trace]
    informed_replies.forget_reasoning(connection, user_id, thought, patterns)


def list_homes(connection: PgConnection, key: MessageKey) -> list[MessageKey]:
    """The message in all conversations that have it: branches have copies."""
    family = branches.list_family(connection, key.conversation_id)
    holders = list_holders(family, key.conversation_id, key.sequence_number)
    return [MessageKey(holder, key.sequence_number) for holder in holders]


def _list_quoting(
    connection: PgConnection, user_id: UserId, sources: Sources
) -> list[InformedReply]:
    replies = informed_replies.list_informed(connection, user_id, sources)
    texts = _Texts(connection, user_id, sources, replies)
    return [
        reply
        for reply in replies
        if any(
            Answered(reply.question, reply.text).says_some(text) for text in texts.list_given(reply)
        )
    ]


class _Texts:
    """The texts of the sources as prompts quoted them."""

    def __init__(
        self,
        connection: PgConnection,
        user_id: UserId,
        sources: Sources,
        replies: Sequence[InformedReply],
    ) -> None:
        self._sources = sources
        keys = dict.fromkeys((key for reply in replies for key in self._quotes(reply)), 0.0)
        quotes = passages.list_quotes(connection, user_id, keys, MAX_QUOTED_CHARS)
        self._messages = {
            MessageKey(quote.conversation_id, quote.sequence_number): quote for quote in quotes
        }
        places = list({place for reply in replies for place in _passages(reply)})
        self._files = {
            (passage.attachment_id, passage.number): passage.text
            for passage in file_passages.list_by_place(connection, user_id, places)
            if passage.conversation_id in sources.conversations
        }

    def list_given(self, reply: InformedReply) -> list[str]:
        """Those that the reply was given."""
        episodes = [episode["episode_id"] for episode in reply.trace.get("episodes", [])]
        return [
            *(
                cut(self._messages[key], start).text
                for key, start in self._quotes(reply).items()
                if key in self._messages
            ),
            *(self._files[place] for place in _passages(reply) if place in self._files),
            *(
                self._sources.episodes[number]
                for number in episodes
                if number in self._sources.episodes
            ),
        ]

    def _quotes(self, reply: InformedReply) -> dict[MessageKey, int]:
        """The messages of the sources that the reply was given, each with where its quote began."""
        starts = {
            MessageKey(ConversationId(message["conversation_id"]), message["sequence"]): (
                message.get("start", 0)
            )
            for message in reply.trace.get("messages", [])
        }
        return {
            key: start
            for key, start in starts.items()
            if key in self._sources.messages or key.conversation_id in self._sources.conversations
        }


def _passages(reply: InformedReply) -> list[tuple[str, int]]:
    return [
        (passage["attachment_id"], passage["number"]) for passage in reply.trace.get("passages", [])
    ]
