"""What a prompt contains word for word, and what it must not be given: other branches' messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from shared.db import PgConnection
from shared.models import (
    Anchor,
    ConversationId,
    Episode,
    Fact,
    MessageKey,
    OpenRound,
    Passage,
    Quote,
    Span,
)
from shared.policy.attachments.rendering import EARLIER_MESSAGES
from shared.policy.branches import list_replaced, list_rewordings, list_shared
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import hide_secrets
from shared.policy.verbatim import Verbatim
from shared.settings import Settings
from shared.store import branches

ENDLESS = 2**31 - 1  # the largest integer of Postgres


@dataclass(frozen=True, kw_only=True)
class Given:
    """The messages that the prompt contains word for word, and those that it has in other words."""

    #: By conversation: the round's own, and those that it branched from.
    spans: Mapping[str, Span]
    #: The files of this message of the round's own conversation, and of all later ones, are shown.
    files_from: int = 0
    #: By other branch of the chat: its first message that stands in place of those of the round's.
    replaced: Mapping[str, int] = field(default_factory=dict)
    #: Of these, the messages that were put in other words.
    rewordings: Set[MessageKey] = frozenset()
    #: The episodes in the front of the prompts since the anchor. None: this is the first of them.
    standing: Sequence[int] | None = ()
    #: What the operator calls a secret.
    own_secrets: SecretPattern = None

    def leaves_out(self, passage: Passage) -> bool:
        """Whether the message need not be quoted, or must not be."""
        span = self.spans.get(passage.conversation_id)
        is_given = span is not None and span.start <= passage.sequence_number <= span.end
        return is_given or passage.sequence_number >= self.replaced.get(
            passage.conversation_id, ENDLESS
        )

    def may_state(self, fact: Fact) -> bool:
        """Whether anything but a message that the open branch has in other words says the fact."""
        if fact.source_conversation_id is None or fact.source_sequence is None:
            return True
        said_again = fact.confirmed_at is not None and fact.confirmed_at > fact.valid_from
        source = MessageKey(fact.source_conversation_id, fact.source_sequence)
        return said_again or source not in self.rewordings

    def choose_standing(self, episodes: Sequence[Episode]) -> Set[int]:
        """What the first prompt since the anchor recalls stands in the front of the later ones."""
        if self.standing is not None:
            return frozenset(self.standing)
        return frozenset(episode.episode_id for episode in episodes)

    def hide_in_quotes(self, quotes: Iterable[Quote]) -> list[Quote]:
        """The quotes, without the secrets of other conversations."""
        return [
            each
            if each.conversation_id in self.spans
            else replace(each, text=hide_secrets(each.text, self.own_secrets))
            for each in quotes
        ]

    def hide_in_episodes(self, episodes: Iterable[Episode]) -> list[Episode]:
        """The episodes, without the secrets of other conversations."""
        return [
            each
            if each.conversation_id in self.spans
            else replace(each, summary=hide_secrets(each.summary, self.own_secrets))
            for each in episodes
        ]

    def left_out_files(self) -> Sequence[tuple[str, Span]]:
        """The messages whose files the prompt shows beside the message to answer, or must not."""
        shown = [
            (conversation_id, Span(start=max(span.start, self.files_from), end=span.end))
            for conversation_id, span in self.spans.items()
        ]
        others = [
            (conversation_id, Span(start=first, end=ENDLESS))
            for conversation_id, first in self.replaced.items()
        ]
        return [*shown, *others]


NOTHING_GIVEN = Given(spans={})


def given_to(
    chat_round: OpenRound, verbatim: Verbatim, anchor: Anchor | None, settings: Settings
) -> Given:
    """What the prompt of a round contains before anything is recalled."""
    start = verbatim.turns[0].seq if verbatim.turns else chat_round.repeats_from
    span = Span(start=start, end=chat_round.user_message.sequence_number)
    # A client sends its own files, and chooses recent turns itself.
    is_client = chat_round.client is not None
    return Given(
        spans={chat_round.conversation.conversation_id: span},
        files_from=max(0, span.end - (-1 if is_client else EARLIER_MESSAGES)),
        standing=() if is_client or not anchor else anchor.list_standing(verbatim.start),
        own_secrets=settings.own_secrets,
    )


def with_branches(
    connection: PgConnection, conversation_id: ConversationId, content: Given
) -> Given:
    """Add the messages that the conversation has copies of, and those of other branches."""
    family = branches.list_family(connection, conversation_id)
    if len(family) < 2:
        return content
    start = content.spans[conversation_id].start
    copied: dict[str, Span] = {
        other: Span(start=max(start, span.start), end=span.end)
        for other, span in list_shared(family, conversation_id).items()
    }
    replaced: dict[str, int] = dict(list_replaced(family, conversation_id).items())
    return replace(
        content,
        spans={**content.spans, **copied},
        replaced=replaced,
        rewordings=list_rewordings(family, conversation_id),
    )
