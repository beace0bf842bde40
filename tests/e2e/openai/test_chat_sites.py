"""Open WebUI's and LibreChat's way of calling, at a real site.

Both stream, resend their history, and set the model tasks of their own in between.
"""

from __future__ import annotations

import json
import uuid

from tests.e2e.openai.talks import MODEL, Account, Said, Talk, check_talk, conversations_of, post

# Shortened; the first lines and the marks around the history are theirs.
TASKS_OF_OPEN_WEBUI = (
    "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.",
    "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.",
    "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might ask next.",
)
TITLE_OF_LIBRECHAT = (
    "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. "
    "Only return the title itself.\n\nConversation:\n"
)


def stream(account: Account, body: Said, headers: dict[str, str]) -> str:
    answer = post(account, body | {"model": MODEL, "stream": True}, headers)
    lines = [line[6:] for line in answer.text.split("\n\n") if line.startswith("data: {")]
    choices = [choice for line in lines for choice in json.loads(line)["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


def quote(messages: list[Said]) -> str:
    return "\n".join(f"{message['role'].upper()}: {message['content']}" for message in messages)


def open_webui(account: Account) -> Talk:
    headers = {
        "X-OpenWebUI-User-Name": "Ada",
        "X-OpenWebUI-User-Id": str(uuid.uuid4()),
        "X-OpenWebUI-User-Role": "user",
        "X-OpenWebUI-Chat-Id": str(uuid.uuid4()),
    }

    def send(messages: list[Said]) -> str:
        options = {"stream_options": {"include_usage": True}}
        reply = stream(account, {"messages": messages} | options, headers)
        if len(messages) <= 3:
            for task in TASKS_OF_OPEN_WEBUI:
                history = f"### Chat History:\n<chat_history>\n{quote(messages)}\n</chat_history>"
                task_messages = [{"role": "user", "content": f"{task}\n{history}"}]
                fields = {"model": MODEL, "messages": task_messages, "stream": False}
                post(account, fields, headers)
        return reply

    return Talk(send)


def librechat(account: Account) -> Talk:
    talk_id = str(uuid.uuid4())

    def send(messages: list[Said]) -> str:
        name = {"X-Client-Conversation-Id": talk_id}
        user = {"user": "65f0c0ffee65f0c0ffee65f0"}
        reply = stream(account, {"messages": messages} | user, name)
        if len(messages) <= 2:
            words = TITLE_OF_LIBRECHAT + quote(messages)
            title = {"model": MODEL, "messages": [{"role": "user", "content": words}]}
            post(account, title | user, name)
        return reply

    return Talk(send, system="You are a helpful assistant.")


def test_open_webui_is_remembered_without_its_tasks(account: Account) -> None:
    check_talk(account, lambda: open_webui(account), "badger", "Thornwick")


def test_librechat_is_remembered_without_its_titles(account: Account) -> None:
    check_talk(account, lambda: librechat(account), "falcon", "Merrowind")


def test_a_task_alone_begins_no_conversation(account: Account) -> None:
    before = conversations_of(account)
    for task in (*TASKS_OF_OPEN_WEBUI, TITLE_OF_LIBRECHAT):
        words = f"{task}\n<chat_history>\nUSER: My newt is called Ploverine.\n</chat_history>"
        post(account, {"model": MODEL, "messages": [{"role": "user", "content": words}]}, {})
    assert conversations_of(account) == before
