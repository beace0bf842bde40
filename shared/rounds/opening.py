"""The start of a round: one short transaction that stores the user's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.access import quotas
from shared.access.audit import record
from shared.db import PgConnection
from shared.derivations.invalidation import invalidate_from
from shared.derivations.withholding import release, withhold_round
from shared.errors import AlreadySentError, ConflictError, KeyReusedError
from shared.facts.retraction import unlearn
from shared.models import (
    Conversation,
    ConversationId,
    Message,
    NewConversation,
    OpenRound,
    Thing,
)
from shared.models.library import PERSONAS
from shared.models.memory_scope import memory_of
from shared.policy.clients.client_prompt import with_instructions
from shared.rounds.branching import open_branch
from shared.rounds.client_opening import open_client_round
from shared.rounds.requests import (
    BranchRequest,
    ClientRequest,
    Continuation,
    NewMessage,
    Retry,
    Rewording,
    RoundRequest,
)
from shared.settings import Settings
from shared.store import (
    attachments,
    client_turns,
    conversations,
    library,
    messages,
    projects,
    replies,
    users,
    variants,
)


def open_round(connection: PgConnection, request: RoundRequest, settings: Settings) -> OpenRound:
    """Write the user's words and an empty reply that is marked as `streaming`.

    Raises, so that nothing is written: `NotFoundError`; `RoundInProgressError` while another round
    of the conversation is open; `ConflictError` for an older reply or message, or a reply that
    cannot be continued; `AlreadySentError` or `KeyReusedError` for a known idempotency key;
    `QuotaUsedUpError`; `FileGoneError`.
    """
    chat_round = _with_instructions(connection, _open(connection, request, settings))
    if chat_round.is_stored and not isinstance(request, Retry | Continuation):
        asking = withhold_round(connection, request.user_id, chat_round.user_message)
        chat_round = replace(chat_round, user_message=asking)
    if chat_round.conversation.is_archived:  # it has something new to read, so it is listed again
        conversations.unarchive(connection, chat_round.conversation.chat_id)
    quotas.count_round(connection, request.user_id, settings)
    return chat_round


def _with_instructions(connection: PgConnection, chat_round: OpenRound) -> OpenRound:
    """Add the present instructions of the persona and of the project.

    They may have changed since the last round.
    """
    conversation = chat_round.conversation
    user_id = conversation.user_id
    if conversation.persona_id is not None:
        persona = library.get_entry(connection, user_id, PERSONAS, conversation.persona_id)
        chat_round = replace(chat_round, instructions=persona.text.instructions)
    if conversation.project is not None:
        project = projects.get_text(connection, user_id, conversation.project)
        chat_round = replace(
            chat_round,
            project_instructions=project.instructions,
            memory=memory_of(project.name if project.own_memory else None),
        )
        if chat_round.client and project.instructions:
            client = with_instructions(chat_round.client, project.instructions)
            chat_round = replace(chat_round, client=client)
    return chat_round


def _open(connection: PgConnection, request: RoundRequest, settings: Settings) -> OpenRound:
    match request:
        case NewMessage():
            return _open_new(connection, request, settings)
        case Rewording():
            return _reword(connection, request, settings)
        case BranchRequest():
            return open_branch(connection, request, settings)
        case Retry():
            return _reopen(connection, request, settings)
        case Continuation():
            return _continue(connection, request, settings)
        case ClientRequest():
            return open_client_round(connection, request, settings)


def _open_new(connection: PgConnection, new: NewMessage, settings: Settings) -> OpenRound:
    # This user's other sends now wait for the commit.
    sender = users.count_turn(connection, new.user_id)
    _check_unsent(connection, new)
    time_zone = _update_time_zone(connection, new) or sender.time_zone
    conversation = _begin_or_lock(connection, new)
    conversation_id, sequence = conversation.conversation_id, conversation.last_sequence + 1
    added = messages.NewRound(
        conversation_id=conversation_id,
        sequence=sequence,
        content=new.text,
        idempotency_key=new.idempotency_key,
        lease_s=settings.lease_s,
    )
    user_message, token = messages.add_round(connection, added)
    if new.attachments:
        attachments.attach(connection, new.user_id, new.attachments, conversation_id, sequence)
    return OpenRound(
        conversation=conversation,
        user_message=user_message,
        sequence=sequence + 1,
        fencing_token=token,
        time_zone=time_zone,
        may_have_files=sender.has_files,
    )


def _reopen(connection: PgConnection, request: Retry, settings: Settings) -> OpenRound:
    """Open the reply again, keep its old text as a variant, and discard what was derived of it."""
    conversation_id, sequence = request.conversation_id, request.sequence
    users.lock_user(connection, request.user_id)
    conversation = _lock_newest(connection, request, sequence)
    variants.keep_variant(connection, conversation_id, sequence)
    token = replies.open_reply(connection, conversation_id, sequence, settings.lease_s)
    invalidate_from(connection, conversation_id, sequence)
    return OpenRound(
        conversation=conversation,
        user_message=_get_question(connection, conversation_id, sequence - 1),
        sequence=sequence,
        fencing_token=token,
        time_zone=users.find_time_zone(connection, request.user_id),
    )


def _continue(connection: PgConnection, request: Continuation, settings: Settings) -> OpenRound:
    """Continue the reply, and discard what was derived from its shorter text."""
    conversation_id, sequence = request.conversation_id, request.sequence
    users.lock_user(connection, request.user_id)
    conversation = _lock_newest(connection, request, sequence)
    reply = messages.get_message(connection, conversation_id, sequence)
    _check_unfinished(reply)
    token = replies.continue_reply(connection, conversation_id, sequence, settings.lease_s)
    invalidate_from(connection, conversation_id, sequence)
    return OpenRound(
        conversation=conversation,
        user_message=_get_question(connection, conversation_id, sequence - 1),
        sequence=sequence,
        fencing_token=token,
        time_zone=users.find_time_zone(connection, request.user_id),
        former_reply=reply,
    )


def _reword(connection: PgConnection, new: Rewording, settings: Settings) -> OpenRound:
    """Replace the user message; discard what was derived from the old one and its reply."""
    conversation_id, sequence = new.conversation_id, new.sequence
    users.lock_user(connection, new.user_id)
    _check_unsent(connection, new)
    time_zone = _update_time_zone(connection, new) or users.find_time_zone(connection, new.user_id)
    conversation = _lock_newest(connection, new, sequence + 1)
    variants.delete_variants(connection, conversation_id, [sequence + 1])
    token = replies.open_reply(connection, conversation_id, sequence + 1, settings.lease_s)
    replaced = _get_question(connection, conversation_id, sequence)
    unlearn(connection, new.user_id, replaced)
    release(connection, new.user_id, replaced)
    conversations.unmark_imported(connection, conversation_id, sequence)
    invalidate_from(connection, conversation_id, sequence)
    client_turns.delete_turns(connection, conversation_id, [sequence, sequence + 1])
    record(
        connection, "message.change", new.user_id, Thing("message", f"{conversation_id}/{sequence}")
    )
    return OpenRound(
        conversation=conversation,
        user_message=messages.reword(
            connection, conversation_id, sequence, new.text, new.idempotency_key
        ),
        sequence=sequence + 1,
        fencing_token=token,
        time_zone=time_zone,
    )


def _lock_newest(
    connection: PgConnection, request: Retry | Continuation | Rewording, sequence: int
) -> Conversation:
    """Lock the conversation. Reply `sequence` must be its newest reply, open or closed."""
    conversation_id = request.conversation_id
    conversation = conversations.lock_conversation(connection, request.user_id, conversation_id)
    if sequence > conversation.last_sequence:
        messages.get_message(
            connection, conversation_id, sequence
        )  # raises, unless it is an open reply
    elif sequence != conversation.last_sequence:
        raise ConflictError("Only the newest reply can be written again or continued.")
    return conversation


def _get_question(
    connection: PgConnection, conversation_id: ConversationId, sequence: int
) -> Message:
    """The user message. Raises `ConflictError` if it was deleted: it has no text to answer."""
    message = messages.get_message(connection, conversation_id, sequence)
    if message.deleted_at is not None:
        raise ConflictError("This message was deleted.")
    return message


def _check_unfinished(reply: Message) -> None:
    if reply.status == "complete":
        raise ConflictError("This reply is whole: there is nothing to continue.")
    if reply.status != "streaming" and not reply.content:
        raise ConflictError("This reply has no words to go on from. It can be tried again.")


def _check_unsent(connection: PgConnection, new: NewMessage | Rewording) -> None:
    if new.idempotency_key is None:
        return
    message = messages.find_sent(connection, new.user_id, new.idempotency_key)
    if message is None:
        return
    # A client that began a conversation may send again without its id.
    began_it = new.conversation_id is None and message.sequence_number == 0
    if new.text != message.content or not (
        began_it or new.conversation_id == message.conversation_id
    ):
        raise KeyReusedError
    if isinstance(new, NewMessage) and not _has_files(connection, message, new.attachments):
        raise KeyReusedError
    raise AlreadySentError(message.conversation_id, message.sequence_number + 1)


def _has_files(connection: PgConnection, message: Message, attachment_ids: Sequence[str]) -> bool:
    stored_ids = attachments.list_ids(connection, message.conversation_id, message.sequence_number)
    return stored_ids == list(attachment_ids)


def _update_time_zone(connection: PgConnection, new: NewMessage | Rewording) -> str | None:
    """The time zone of this message, which is also kept for later. None: it names none."""
    if new.time_zone is not None:
        users.keep_time_zone(connection, new.user_id, new.time_zone)
    return new.time_zone


def _begin_or_lock(connection: PgConnection, new: NewMessage) -> Conversation:
    if new.conversation_id is None:
        begun = NewConversation(
            user_id=new.user_id,
            agent=new.agent,
            mode=new.mode,
            model=new.model,
            persona_id=new.persona_id,
            project=(projects.spell(connection, new.user_id, new.project) if new.project else None),
        )
        return conversations.add_conversation(connection, begun)
    conversation = conversations.lock_conversation(connection, new.user_id, new.conversation_id)
    if new.model is None or new.model == conversation.model:
        return conversation
    changed = replace(conversation, model=new.model)
    conversations.change_conversation(connection, changed)
    return changed
