"""Requests of the Responses API, as messages of chat completions."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from shared.models.clients import ClientMessage
from web.openai.errors import BadParameterError
from web.openai.forms import Number, Whole

# Fields that every answer repeats, with what stands there when the request does not say.
REPEATED: dict[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}
SAME_OPTIONS = ("parallel_tool_calls", "temperature", "top_p", "user")
REFUSED = {
    "background": "Responses are not made in the background.",
    "conversation": "Use previous_response_id, or metadata.conversation_id.",
    "prompt": "There are no stored prompts here.",
}
FILE_FIELDS = ("filename", "file_data", "file_id")
PARTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}


class ResponseForm(BaseModel):
    """`POST /v1/responses`."""

    model_config = ConfigDict(extra="allow")

    model: str
    input: str | list[dict[str, Any]]
    instructions: str | None = None
    previous_response_id: str | None = None
    stream: bool | None = None
    store: bool | None = None
    metadata: dict[str, Any] | None = None
    max_output_tokens: Whole | None = Field(default=None, gt=0)
    temperature: Number | None = None
    top_p: Number | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    text: dict[str, Any] | None = None
    reasoning: dict[str, Any] | None = None

    @property
    def repeated(self) -> dict[str, Any]:
        """What every answer repeats of the request."""
        fields = {name: value for name, value in self.model_dump().items() if value is not None}
        return {name: fields.get(name, value) for name, value in REPEATED.items()}


def check_response_form(form: ResponseForm) -> None:
    fields = form.model_dump()
    for name, why in REFUSED.items():
        if fields.get(name):
            raise BadParameterError(name, f"{name}: {why}")
    for at, tool in enumerate(form.tools or ()):
        if tool.get("type") != "function":
            raise BadParameterError(f"tools.{at}.type", "tools: only functions can be called.")


def options_of(form: ResponseForm) -> dict[str, Any]:
    """The fields for the model, as a chat completion names them."""
    fields = form.model_dump()
    options: dict[str, Any] = {name: fields.get(name) for name in SAME_OPTIONS}
    options["max_tokens"] = form.max_output_tokens
    options["reasoning_effort"] = (form.reasoning or {}).get("effort")
    options["response_format"] = _response_format((form.text or {}).get("format"))
    if form.tools:
        options["tools"] = [{"type": "function", "function": _inner(tool)} for tool in form.tools]
        options["tool_choice"] = _tool_choice(form.tool_choice)
    return {name: value for name, value in options.items() if value is not None}


def messages_of(response_input: str | list[dict[str, Any]]) -> list[ClientMessage]:
    """Raises `BadParameterError` for an item that cannot be passed on."""
    if isinstance(response_input, str):
        return [{"role": "user", "content": response_input}]
    messages = (_message(item, f"input.{at}") for at, item in enumerate(response_input))
    return [message for message in messages if message is not None]


def _message(item: dict[str, Any], param: str) -> ClientMessage | None:
    match item.get("type", "message"):
        case "message" if item.get("role") in {"user", "assistant", "system", "developer"}:
            return {"role": item["role"], "content": _content(item.get("content"), param)}
        case "function_call":
            function = {"name": item.get("name"), "arguments": item.get("arguments")}
            call = {"id": item.get("call_id"), "type": "function", "function": function}
            return {"role": "assistant", "content": None, "tool_calls": [call]}
        case "function_call_output":
            output = item.get("output")
            text = output if isinstance(output, str) else _content(output, param)
            return {"role": "tool", "tool_call_id": item.get("call_id"), "content": text}
        case "reasoning":
            return None
    raise BadParameterError(param, f"{param}: this kind of item is not supported.")


def _content(content: Any, param: str) -> str | list[dict[str, Any]]:
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise BadParameterError(f"{param}.content", f"{param}.content: text, or a list of parts.")
    parts = [_part(part, f"{param}.content.{at}") for at, part in enumerate(content)]
    if len(parts) == 1 and "text" in parts[0]:
        return str(parts[0]["text"])
    return parts


def _part(part: dict[str, Any], param: str) -> dict[str, Any]:
    kind = part.get("type")
    if kind in PARTS and isinstance(part.get(PARTS[kind]), str):
        return {"type": "text", "text": part[PARTS[kind]]}
    if kind == "input_image" and part.get("image_url"):
        image = {"url": part["image_url"], "detail": part.get("detail", "auto")}
        return {"type": "image_url", "image_url": image}
    if kind == "input_file":
        file = {name: part[name] for name in FILE_FIELDS if part.get(name)}
        if file.keys() & {"file_data", "file_id"}:
            return {"type": "file", "file": file}
        raise BadParameterError(param, f"{param}: send the file itself, as file_data.")
    raise BadParameterError(param, f"{param}: only texts, images by their address, and files.")


def _inner(tool: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tool.items() if name != "type"}


def _tool_choice(choice: str | dict[str, Any] | None) -> str | dict[str, Any] | None:
    if isinstance(choice, dict) and choice.get("type") == "function":
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice


def _response_format(text_format: dict[str, Any] | None) -> dict[str, Any] | None:
    if not text_format or text_format.get("type") == "text":
        return None
    if text_format.get("type") == "json_schema":
        return {"type": "json_schema", "json_schema": _inner(text_format)}
    return text_format
