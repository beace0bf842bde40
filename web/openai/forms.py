"""Requests in OpenAI's form. Unknown fields are kept: they are for the model."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from flask import Request
from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError
from werkzeug.exceptions import BadRequest

from shared.errors import InvalidRequestError
from shared.models import ConversationId
from shared.models.projects import ProjectText
from shared.policy.clients.client_messages import ClientRound
from shared.policy.text import is_storable
from web.fields.project_names import find_project
from web.openai.errors import BadParameterError
from web.requests.forms import MAX_MESSAGE_CHARS, check_id
from web.server.bodies import CLIENT_MAX_BODY_BYTES

Form = TypeVar("Form", bound=BaseModel)
Number = Annotated[float, Strict()]
Whole = Annotated[int, Strict()]
MemoryUse = Literal["on", "read", "off"]
MAX_CLIENT_KEY_CHARS = 200
# What clients send where a conversation has no name yet; "{{…}}" is a name that was not filled in.
NO_NAMES = frozenset({"new", "null", "none", "undefined"})
# The site's own, or a matter of how it answers: they are not passed on.
OWN_FIELDS = frozenset({"model", "messages", "stream", "stream_options", "n", "metadata", "store"})
REFUSED = {
    "logprobs": "Log probabilities are not passed on.",
    "top_logprobs": "Log probabilities are not passed on.",
    "functions": "Use tools instead of functions.",
    "function_call": "Use tool_choice instead of function_call.",
    "audio": "Only text is answered.",
}


class Message(BaseModel):
    """One message. What it holds beside these fields is passed on as it is."""

    model_config = ConfigDict(extra="allow")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None
    tool_calls: list[dict[str, Any]] | None = None


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="allow")

    include_usage: bool | None = None


class SharedFields(BaseModel):
    """What chats and plain prompts have in common. Numbers are checked, and passed on."""

    model_config = ConfigDict(extra="allow")

    model: str
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: int | None = None
    metadata: dict[str, Any] | None = None
    temperature: Number | None = None
    top_p: Number | None = None
    presence_penalty: Number | None = None
    frequency_penalty: Number | None = None
    max_tokens: Whole | None = Field(default=None, gt=0)
    max_completion_tokens: Whole | None = Field(default=None, gt=0)
    seed: Whole | None = None
    stop: str | list[str] | None = None

    @property
    def includes_usage(self) -> bool:
        return bool(self.stream_options and self.stream_options.include_usage)

    def options_but(self, own_fields: frozenset[str]) -> dict[str, Any]:
        """The fields for the model."""
        fields = self.model_dump(exclude_unset=True)
        return {
            name: value
            for name, value in fields.items()
            if name not in own_fields and value is not None
        }


class CompletionForm(SharedFields):
    """`POST /v1/chat/completions`."""

    messages: list[Message] = Field(min_length=1)

    @property
    def options(self) -> dict[str, Any]:
        return self.options_but(OWN_FIELDS)


def read_openai_form(request: Request, form: type[Form]) -> Form:
    """Raises `BadParameterError` naming the field, or `InvalidRequestError`."""
    request.max_content_length = CLIENT_MAX_BODY_BYTES
    try:
        body = request.get_json()
    except BadRequest as exc:
        raise InvalidRequestError("We could not parse the JSON body of your request.") from exc
    except (RecursionError, ValueError) as exc:
        raise InvalidRequestError("The body cannot be read as JSON.") from exc
    if not isinstance(body, dict):
        raise InvalidRequestError("The body must be a JSON object.")
    _check_storable(body)
    try:
        return form.model_validate(body)
    except ValidationError as exc:
        first: Any = exc.errors(include_url=False, include_input=False)[0]
        param = ".".join(str(part) for part in first["loc"])
        raise BadParameterError(param, f"{param}: {first['msg']}") from exc


def check_stream_options(form: SharedFields) -> None:
    if form.stream_options is not None and not form.stream:
        raise BadParameterError("stream_options", "stream_options: only with stream.")


def check_supported(form: CompletionForm) -> None:
    check_stream_options(form)
    for at, message in enumerate(form.messages):
        if message.role == "user" and message.content in (None, []):
            param = f"messages.{at}.content"
            raise BadParameterError(param, f"{param}: is missing.")
    if form.n not in {None, 1}:
        raise BadParameterError("n", "n: only one choice is answered.")
    for name, why in REFUSED.items():
        if form.options.get(name):
            raise BadParameterError(name, f"{name}: {why}")


def check_asked(client_round: ClientRound) -> None:
    """Raises `BadParameterError` if the new message is longer than a message may be."""
    if (length := len(client_round.text)) > MAX_MESSAGE_CHARS:
        detail = f"{length:,} characters, and the limit is {MAX_MESSAGE_CHARS:,}"
        raise BadParameterError("messages", f"messages: the last message has {detail}.")


def read_memory_use(request: Request, metadata: dict[str, Any] | None) -> MemoryUse:
    """The header `X-Memory`, or `metadata.memory`."""
    value = request.headers.get("X-Memory") or (metadata or {}).get("memory") or "on"
    match str(value).lower():
        case "on":
            return "on"
        case "read":
            return "read"
        case "off":
            return "off"
    raise BadParameterError("metadata.memory", "X-Memory: on, read or off.")


def read_conversation_id(
    request: Request, metadata: dict[str, Any] | None
) -> ConversationId | None:
    """The header `X-Conversation-Id`, or `metadata.conversation_id`."""
    value = request.headers.get("X-Conversation-Id") or (metadata or {}).get("conversation_id")
    return check_id(str(value)) if value else None


def read_project(request: Request, metadata: dict[str, Any] | None) -> ProjectText | None:
    """The header `X-Project`, or `metadata.project`. Raises `NotFoundError`."""
    value = request.headers.get("X-Project") or (metadata or {}).get("project")
    return find_project(str(value)) if value else None


def read_client_key(request: Request) -> str | None:
    """The client's own id of the conversation, as a key of ours."""
    names = ("X-Client-Conversation-Id", "X-OpenWebUI-Chat-Id")
    value = next((request.headers[name] for name in names if request.headers.get(name)), None)
    if value is None or value.lower() in NO_NAMES or value.startswith("{{"):
        return None
    if len(value) > MAX_CLIENT_KEY_CHARS or not value.isprintable():
        raise BadParameterError(names[0], f"{names[0]}: up to {MAX_CLIENT_KEY_CHARS} characters.")
    return f"client:{value}"


def is_resent(request: Request) -> bool:
    """Whether the client sends the request again. OpenAI's own clients number their retries."""
    return request.headers.get("X-Stainless-Retry-Count", "0") not in {"", "0"}


def _check_storable(value: Any, path: str = "") -> None:
    if isinstance(value, str):
        if not is_storable(value):
            raise BadParameterError(path, f"{path}: holds characters that cannot be stored.")
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check_storable(name, path)
            _check_storable(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check_storable(inner, f"{path}.{index}".lstrip("."))
