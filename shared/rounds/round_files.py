"""The files that a round's prompts show: its message's, and those of the newest before it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.db import Database
from shared.guard import RECALL_TIMEOUT_S
from shared.llm import ChatMessage, sees_images
from shared.models import OpenRound, Span
from shared.models.attachments import AttachedFile
from shared.policy.attachments.rendering import (
    EARLIER_MESSAGES,
    FittedFile,
    fit_files,
    render_files,
)
from shared.policy.prompt import Prompt
from shared.policy.shortening import CountTokens
from shared.settings import Settings
from shared.store import attachments
from shared.timing import Deadline

MAX_FILES = 20
#: Tokens of a prompt for attached files. Of a longer one it gets the parts nearest to the question.
ATTACHMENT_TOKENS = 8000
LIMIT_SHARE = 0.5  # of what the model takes at most


def read_files(
    database: Database, chat_round: OpenRound, model: str, settings: Settings
) -> list[AttachedFile]:
    """Read the files that the prompt may show, those of the newest message first.

    Images are included if `model` can see them. A client of OpenAI's protocol sends its own files.
    """
    if chat_round.client is not None or not chat_round.is_stored or not chat_round.may_have_files:
        return []
    conversation, newest = chat_round.conversation, chat_round.user_message.sequence_number
    earliest = newest - EARLIER_MESSAGES if settings.enable_memory else newest
    deadline = Deadline(RECALL_TIMEOUT_S)
    with database.transaction(deadline, user=conversation.user_id) as connection:
        return attachments.read_files(
            connection,
            conversation.conversation_id,
            Span(start=max(0, earliest), end=newest),
            with_images=sees_images(model, settings),
            limit=MAX_FILES,
        )


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of one round, and how many tokens they may take in its largest prompt."""

    files: Sequence[AttachedFile]
    chat_round: OpenRound
    tokens: int

    def fit(self, share: float, count: CountTokens) -> list[FittedFile]:
        """Cut the files to `share` (0 to 1) of their tokens, for a shorter prompt."""
        message = self.chat_round.user_message
        room = int(self.tokens * share)
        return fit_files(self.files, message.content, room, count, newest=message.sequence_number)

    def render(self, fitted: Sequence[FittedFile]) -> str:
        return render_files(fitted, self.chat_round.user_message.sequence_number)


def files_of(files: Sequence[AttachedFile], chat_round: OpenRound, limit: int | None) -> Files:
    """Bound the tokens of the files. `limit` is the context of the model; None if it is unknown."""
    most = ATTACHMENT_TOKENS
    if limit is not None:
        most = min(most, int(limit * LIMIT_SHARE))
    return Files(files=files, chat_round=chat_round, tokens=most)


def trace_files(prompt: Prompt, fitted: Sequence[FittedFile]) -> Prompt:
    """Attach the images to the prompt, and add to its trace which files it shows, and how much."""
    if not fitted:
        return prompt
    entries = [
        {"attachment_id": fitted_file.file.attachment.attachment_id, "given": fitted_file.extent}
        for fitted_file in fitted
    ]
    images = tuple(
        fitted_file.file
        for fitted_file in fitted
        if fitted_file.extent == "whole" and fitted_file.file.content
    )
    return replace(prompt, trace={**prompt.trace, "files": entries}, images=images)


def messages_of(prompt: Prompt) -> tuple[ChatMessage, ...]:
    """The prompt's messages. The images are attached to the user's last message."""
    question_at = max(
        (at for at, (role, _) in enumerate(prompt.messages) if role == "user"), default=-1
    )
    urls = tuple(_data_url(image) for image in prompt.images)
    return tuple(
        ChatMessage(role=role, content=text, images=urls if at == question_at else ())
        for at, (role, text) in enumerate(prompt.messages)
    )


def _data_url(image: AttachedFile) -> str:
    content = base64.b64encode(image.content).decode()
    return f"data:{image.attachment.media_type};base64,{content}"
