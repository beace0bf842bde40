"""What OpenAI's own client sends beside talk, through the real server."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from shared.db import Database, fetch_rows
from shared.models import UserId
from shared.settings import Settings
from shared.store.users import ensure_user
from tests.e2e.openai.talks import WHILE_LOADING, Account, stored
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.services import owner_url
from tests.waiting import wait_for
from web.server.bodies import CLIENT_MAX_BODY_BYTES

EMBEDDING_MODEL = Settings().embedding_model
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
TOOL: Any = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}
CALLS = tuple(
    {
        "id": f"call_{city}",
        "type": "function",
        "function": {"name": "weather", "arguments": f'{{"city": "{city}"}}'},
    }
    for city in ("Lisbon", "Oslo")
)


def say(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": text}]


def test_a_text_and_a_list_of_texts_become_vectors(sdk: openai.OpenAI) -> None:
    sdk = sdk.with_options(max_retries=WHILE_LOADING)
    [cat] = sdk.embeddings.create(model=EMBEDDING_MODEL, input="A cat").data  # asks for base64
    [first, other] = sdk.embeddings.create(
        model=EMBEDDING_MODEL, input=["A cat", "The tax office"], encoding_format="float"
    ).data
    assert len(cat.embedding) == 384
    assert cat.embedding == pytest.approx(first.embedding, abs=1e-6)
    assert (first.index, other.index) == (0, 1)
    assert other.embedding != first.embedding
    with pytest.raises(openai.BadRequestError):
        sdk.embeddings.create(model=EMBEDDING_MODEL, input=[1, 2, 3])


def test_tools_are_called_and_answered(sdk: openai.OpenAI, model_server: FakeOpenAI) -> None:
    called = Scripted(text="", tool_calls=CALLS, finish_reason="tool_calls")
    model_server.script(called, Scripted(text="Sunny in both."))
    query = say("What is the weather in Lisbon and Oslo?")
    choice = sdk.chat.completions.create(model=FAKE_MODEL, messages=query, tools=[TOOL]).choices[0]
    assert choice.finish_reason == "tool_calls"
    calls = [call.model_dump(exclude_none=True) for call in choice.message.tool_calls or []]
    assert calls == list(CALLS)
    answers: list[Any] = [
        {"role": "tool", "tool_call_id": call["id"], "content": "Sunny."} for call in CALLS
    ]
    reply: Any = choice.message
    history = [*query, reply, *answers]
    last = sdk.chat.completions.create(model=FAKE_MODEL, messages=history, tools=[TOOL])
    assert last.choices[0].message.content == "Sunny in both."
    body = model_server.requests[-1].body
    assert body["tools"] == [TOOL]
    assert body["messages"][-2:] == answers


def test_calls_of_tools_are_streamed(sdk: openai.OpenAI, model_server: FakeOpenAI) -> None:
    model_server.script(Scripted(text="", tool_calls=CALLS, finish_reason="tool_calls"))
    with sdk.chat.completions.stream(
        model=FAKE_MODEL, messages=say("And in Lisbon and Oslo now?"), tools=[TOOL]
    ) as stream:
        choice = stream.get_final_completion().choices[0]
    assert choice.finish_reason == "tool_calls"
    got = [
        (call.id, call.function.name, call.function.arguments)
        for call in choice.message.tool_calls or []
    ]
    functions: list[tuple[Any, Any]] = [(call["id"], call["function"]) for call in CALLS]
    assert got == [
        (call_id, function["name"], function["arguments"]) for call_id, function in functions
    ]


def test_an_image_reaches_the_model_as_it_was_sent(
    account: Account, sdk: openai.OpenAI, model_server: FakeOpenAI
) -> None:
    parts: Any = [
        {"type": "text", "text": "What is in this picture?"},
        {"type": "image_url", "image_url": {"url": PIXEL, "detail": "low"}},
    ]
    raw = sdk.chat.completions.with_raw_response.create(
        model=FAKE_MODEL, messages=[{"role": "user", "content": parts}]
    )
    assert model_server.requests[-1].body["messages"][-1]["content"][-len(parts) :] == parts
    first, *_ = stored(account, raw.headers["X-Conversation-Id"])
    assert first == ("user", "What is in this picture?")


def test_a_body_that_is_too_large_is_refused_in_openais_form(sdk: openai.OpenAI) -> None:
    text = "x" * (CLIENT_MAX_BODY_BYTES + 1)
    with pytest.raises(openai.APIStatusError) as refused:
        sdk.chat.completions.create(model=FAKE_MODEL, messages=say(text))
    assert refused.value.status_code == 413
    assert (refused.value.type, refused.value.code) == ("invalid_request_error", "too_large")
    assert refused.value.message


def test_a_reply_is_finished_when_its_client_leaves(
    account: Account, sdk: openai.OpenAI, model_server: FakeOpenAI
) -> None:
    text = " ".join(f"Word {number}." for number in range(30))
    model_server.script(Scripted(text=text, piece_delay_s=0.03))
    raw = sdk.chat.completions.with_raw_response.create(
        model=FAKE_MODEL, messages=say("Tell me something long."), stream=True
    )
    conversation_id = raw.headers["X-Conversation-Id"]
    with raw.parse() as stream:
        next(chunk for chunk in stream if chunk.choices and chunk.choices[0].delta.content)
    whole = [("user", "Tell me something long."), ("assistant", text)]
    wait_for(lambda: stored(account, conversation_id) == whole, explain=account.site.log("web"))


def test_a_conversation_of_somebody_else_is_not_found(
    account: Account, sdk: openai.OpenAI, model_server: FakeOpenAI
) -> None:
    conversation_id = begin_conversation_of("somebody-else", account)
    before = len(model_server.requests)
    with pytest.raises(openai.NotFoundError) as refused:
        sdk.chat.completions.create(
            model=FAKE_MODEL,
            messages=say("What did I say here?"),
            extra_headers={"X-Conversation-Id": conversation_id},
        )
    assert refused.value.type == "invalid_request_error"
    assert len(model_server.requests) == before


def begin_conversation_of(user: str, account: Account) -> str:
    """A conversation of another user of the site. Returns its id."""
    database = Database(owner_url(account.site.environment["DATABASE_URL"]), pool_size=1)
    try:
        with database.transaction(user=UserId(user)) as connection:
            ensure_user(connection, UserId(user))
            [row] = fetch_rows(
                connection,
                """
                INSERT INTO conversations (user_id, agent, mode)
                VALUES (%(user)s, 'general', 'active')
                RETURNING conversation_id
                """,
                user=user,
            )
    finally:
        database.close()
    return str(row["conversation_id"])
