"""Talks of many turns that a chat client has with a real site, and what is kept of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.e2e.site import NO_TLS, Site
from tests.exports import EXPORT_S
from tests.waiting import wait_for
from throughline_client import Throughline

MODEL = "offline/extractive"
TURNS = 30  # of OpenAI's own client
FEWER_TURNS = 12  # of the others, which resend their history in the same way
WHILE_LOADING = EXPORT_S // 5  # tries of embeddings, after 5 s each: a new site loads its model

Said = dict[str, Any]
#: Sends what the client resends. Returns the reply.
Send = Callable[[list[Said]], str]


@dataclass(frozen=True)
class Account:
    """A user's access to a site: the key of a program that may chat, and the user's own token."""

    site: Site
    key: str
    local_token: str

    @property
    def base_url(self) -> str:
        return f"{self.site.url}/v1"

    def reader(self) -> Throughline:
        return Throughline(self.site.url, self.local_token)


@dataclass
class Talk:
    """A client's own history, of which it sends the newest `window` messages."""

    send: Send
    system: str | None = None
    window: int | None = None
    history: list[Said] = field(default_factory=list)

    def say(self, text: str) -> str:
        self.history.append({"role": "user", "content": text})
        first: list[Said] = [{"role": "system", "content": self.system}] if self.system else []
        history = self.history[-self.window :] if self.window else self.history
        reply = self.send(first + history)
        self.history.append({"role": "assistant", "content": reply})
        return reply


def sentences(animal: str, name: str, turns: int) -> list[str]:
    """A fact first, and then other things."""
    small_talk = [f"Note {number} about the {animal}." for number in range(turns - 1)]
    return [f"My {animal} is called {name}.", *small_talk]


def conversations_of(account: Account) -> set[str]:
    with account.reader() as client:
        return {conversation.conversation_id for conversation in client.conversations()}


def stored(account: Account, conversation_id: str) -> list[tuple[str, str]]:
    """(role, text) of each message of a conversation."""
    with account.reader() as client:
        return [(message.role, message.content) for message in client.messages(conversation_id)]


def check_talk(
    account: Account, make: Callable[[], Talk], animal: str, name: str, turns: int = FEWER_TURNS
) -> None:
    """All turns are in one conversation, each message once; another one knows the fact."""
    before = conversations_of(account)
    talk = make()
    for text in sentences(animal, name, turns):
        talk.say(text)
    [conversation_id] = conversations_of(account) - before
    messages = [(message["role"], message["content"]) for message in talk.history]
    assert stored(account, conversation_id) == messages
    wait_for(lambda: knows(account, name), 60, account.site.log("worker-llm"))
    assert name in make().say(f"What is my {animal} called?")


def knows(account: Account, name: str) -> bool:
    with account.reader() as client:
        return any(name in fact.value for fact in client.facts())


def post(account: Account, body: Said, headers: dict[str, str]) -> httpx.Response:
    all_headers = headers | {"Authorization": f"Bearer {account.key}"}
    address = f"{account.base_url}/chat/completions"
    return httpx.post(
        address, json=body, headers=all_headers, timeout=60, verify=NO_TLS
    ).raise_for_status()
