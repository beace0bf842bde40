"""What the caller has to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.errors.base import ThroughlineError


@dataclass(frozen=True, kw_only=True)
class FieldError:
    """What is wrong with one part of a request."""

    detail: str
    #: A JSON pointer into the body, as a fragment ("#/value"). None: it is not of the body.
    pointer: str | None = None
    #: An argument after `?`. None: it is not one.
    parameter: str | None = None


class RequestError(ThroughlineError):
    """The request cannot be carried out."""

    code = "bad_request"
    http_status = 400


class InvalidRequestError(RequestError):
    """The request is not valid."""

    code = "invalid_request"

    def __init__(self, message: str | None = None, errors: Sequence[FieldError] = ()) -> None:
        super().__init__(message)
        self.errors = tuple(errors)


class BrokenImportError(InvalidRequestError):
    """The file is not valid JSON, or it ends too early."""

    code = "broken_import"


class UnreadableConversationError(InvalidRequestError):
    """This conversation is in no form that can be read."""

    code = "unreadable_conversation"


class UnknownFormError(UnreadableConversationError):
    """Not a known export. Known: ChatGPT, Claude, Gemini (Takeout), Open WebUI, LibreChat, ours."""

    code = "unknown_form"


class KeyReusedError(InvalidRequestError):
    """This Idempotency-Key was sent with another message. Use a new key for a new message."""

    code = "idempotency_key_reused"
    http_status = 422


class FileTypeError(InvalidRequestError):
    """Only text, PDF, documents, e-mail and pictures (PNG, JPEG, GIF, WebP, HEIC) are taken."""

    code = "file_type"
    http_status = 415


class UnreadableFileError(InvalidRequestError):
    """This file cannot be read."""

    code = "unreadable_file"
    http_status = 422


class NotSignedInError(RequestError):
    """Please sign in."""

    code = "not_signed_in"
    http_status = 401
    #: The answer's header `WWW-Authenticate`.
    challenge = "Bearer"


class InvalidTokenError(NotSignedInError):
    """This API token is not valid."""

    code = "invalid_token"
    challenge = 'Bearer error="invalid_token"'


class ForbiddenError(RequestError):
    """This is not allowed."""

    code = "forbidden"
    http_status = 403


class MissingScopeError(ForbiddenError):
    """The API token does not have the scope that this needs."""

    code = "missing_scope"

    def __init__(self, scopes: Sequence[str] = ()) -> None:
        super().__init__(f"This needs the scope {', '.join(scopes)}." if scopes else None)
        self.scopes = tuple(scopes)


class NotFoundError(RequestError):
    """There is nothing here, or it is not yours."""

    code = "not_found"
    http_status = 404


class ConflictError(RequestError):
    """This does not fit the present state."""

    code = "conflict"
    http_status = 409


class RoundInProgressError(ConflictError):
    """A reply is still being written in this conversation. Wait for it, or stop it."""

    code = "round_in_progress"


class JobInProgressError(ConflictError):
    """This is being worked on already."""

    code = "job_in_progress"


class NothingToDoError(ConflictError):
    """There is nothing left to do: everything is covered, or not enough was said yet."""

    code = "nothing_to_do"


class FileGoneError(ConflictError):
    """A file is not there any more, or was sent already. Add it again."""

    code = "file_gone"


class NameTakenError(ConflictError):
    """There is another one of this name already. Choose another name."""

    code = "name_taken"


class KeyNeededError(ConflictError):
    """The stored key is for another address. Enter the key again."""

    code = "key_needed"


class AlreadySentError(ConflictError):
    """This message has been sent before. Its reply is the one to that first sending.

    Names the place of that reply.
    """

    code = "already_sent"

    def __init__(self, conversation_id: str = "", sequence: int = 0) -> None:
        super().__init__()
        self.conversation_id = conversation_id
        self.sequence = sequence
