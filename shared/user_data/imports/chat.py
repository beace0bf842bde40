"""Imports one conversation of a file, with its files and as the source of facts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from shared.access.quotas import check_storage
from shared.broker.sending import send_due
from shared.models import Due
from shared.services import Services
from shared.store import imports
from shared.store.imports import Tally
from shared.store.upkeep import imported_conversations as imported
from shared.store.upkeep import imported_files
from shared.store.upkeep.imported_conversations import KnownConversation
from shared.user_data.imports.alternation import count_merged
from shared.user_data.imports.export_files import add_file, place_files
from shared.user_data.imports.facts import link_sources
from shared.user_data.imports.past_conversation import PastConversation, Utterance
from shared.user_data.imports.target import MAX_NOTES, Placed, Places, Target, add_note
from shared.user_data.imports.writer import extend_conversation, write_conversation

UNKNOWN_MODEL = "Its model “{model}” is not offered here; the site's own answers in its place."
EMPTY = "It holds no message that can be kept."
GROWN = "It is here already. {more} messages that are new were added."
CHANGED = (
    "It is here already, and the file has {more} messages more; they were not added, since it has "
    "gone on here, or its older messages are others."
)


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A conversation of the file."""

    #: Its position in the file, from 0.
    index: int
    past: PastConversation
    #: Its messages as `alternate` makes them.
    rounds: list[Utterance]

    @property
    def size(self) -> int:
        """About how many characters it holds."""
        return sum(
            len(utterance.content) + sum(len(variant.content) for variant in utterance.variants)
            for utterance in self.rounds
        )

    def adds_nothing(self, here: KnownConversation, places: Places) -> bool:
        """Whether the conversation here has all of it, and no fact or file waits for it."""
        if not 0 < len(self.rounds) <= here.last_sequence + 1:
            return False
        if any(own_id in places.sources for own_id in self.past.own_ids):
            return False
        return not any(utterance.files for utterance in self.rounds)


def import_chat(services: Services, target: Target, tally: Tally, chat: Chat) -> Tally:
    """Import a conversation, or what it has more than the one here.

    Raises `UnreadableConversationError`.
    """
    after, due, placed = _write(services, target, tally, chat)
    send_due(services.broker, due)
    if placed is None:
        return after
    services.short_term.forget(placed.conversation_id)
    after, texts = place_files(target, after, placed)
    for place, text in texts:
        after = add_file(services, target, after, place, text.encode())
    return after


def _write(
    services: Services, target: Target, tally: Tally, chat: Chat
) -> tuple[Tally, list[Due], Placed | None]:
    """Commit the conversation and the new tally together. None: it is given no files."""
    index, past, rounds = chat.index, chat.past, chat.rounds
    due: list[Due] = []
    placed = None
    with services.database.transaction(user=target.user_id) as connection:
        known = imported.find_known(connection, target.user_id, past.source_key, past.own_ids)
        result = None
        more = len(rounds) - 1 - known.last_sequence if known else len(rounds)
        if more > 0:
            write = extend_conversation if known else write_conversation
            result = write(connection, target, past, rounds, services.settings)
        if result is None:
            is_chat = not (known and known.is_branch)
            after = replace(tally, skipped=tally.skipped + is_chat)
            after = _note_skipped(after, index, more=more if known else 0, is_empty=not rounds)
        else:
            is_chat = not (known.is_branch if known else result.shared is not None)
            after = _imported(tally, past, more - (result.shared or 0))
            after = replace(after, imported=after.imported + is_chat)
            if known:
                after = add_note(after, index, "grown", GROWN.format(more=more))
            after = _note_model(services, target, after, index, past.model)
            check_storage(connection, target.user_id, services.settings)
            due = result.due
            placed = Placed(
                index=index, conversation_id=result.conversation_id, messages=rounds, files=()
            )
        if known and known.imported_until is not None:  # an import that broke off may lack files
            conversation_id = known.conversation_id
            files = imported_files.list_positions(connection, conversation_id)
            same = rounds if result else rounds[: known.imported_until + 1]
            placed = Placed(
                index=index, conversation_id=conversation_id, messages=same, files=files
            )
        if placed is not None:
            link_sources(connection, target, past, placed)
        imports.save_tally(connection, target.import_id, after)
    return after, due, placed


def _note_model(
    services: Services, target: Target, tally: Tally, index: int, model: str | None
) -> Tally:
    """The name stays with the conversation, in case that it is offered later."""
    unknown = target.places.unknown_models
    offered = services.models.settings().offered_models
    if model is None or model in offered or model in unknown or len(unknown) >= MAX_NOTES:
        return tally
    unknown.add(model)
    return add_note(tally, index, "model", UNKNOWN_MODEL.format(model=model))


def _imported(tally: Tally, past: PastConversation, count: int) -> Tally:
    left_out = Counter(tally.left_out) + Counter(past.left_out)
    if merged := count_merged(past.utterances):
        left_out["merged"] += merged
    return replace(tally, messages=tally.messages + count, left_out=left_out)


def _note_skipped(tally: Tally, index: int, *, more: int, is_empty: bool) -> Tally:
    if is_empty:
        return add_note(tally, index, "empty", EMPTY)
    return add_note(tally, index, "changed", CHANGED.format(more=more)) if more > 0 else tally
