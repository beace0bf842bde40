"""Recognises tasks that a chat client sets the model for itself: titles, tags, suggestions.

They arrive as ordinary requests, and quote the conversation. Nothing in them is said by the user.
"""

from __future__ import annotations

import re

from shared.policy.clients.client_messages import ClientHistory

# Each entry: all its patterns must be found in the words of the request.
_FORMS: tuple[tuple[re.Pattern[str], ...], ...] = tuple(
    tuple(re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in form)
    for form in (
        # Open WebUI's titles, tags, follow-ups, queries, completions, prompts of images
        (r"^\s*#+ Task:", r"<chat_history>|#+ Chat History:"),
        (r"^\s*Your task is to reflect the speaker's likely facial expression",),
        (r"^\s*You have been provided with a set of responses from various models to the latest",),
        # the titles of LibreChat
        (r"\bprovide a concise, 5-word-or-less title for the conversation", r"\bonly\b"),
        (r"\bgenerate a concise, 5-word-or-less title for the conversation",),
        (r"^\s*Analyze this conversation and provide:", r"\btitle in the detected language\b"),
        (r"\bgenerate a concise title \(max 40 characters\) for a conversation that starts with",),
    )
)


def is_client_task(history: ClientHistory) -> bool:
    """Whether the newest message is such a task. An unknown form is taken for the user's words."""
    instructions = [message.get("content") for message in history.preface]
    words = history.current.text or next(
        (text for text in instructions if isinstance(text, str)), ""
    )
    return any(all(pattern.search(words) for pattern in form) for form in _FORMS)
