"""Talks of thirty turns that a chat client has with a real site, and what is kept of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.e2e.site import Site
from tests.waiting import wait_for
from throughline_client import Throughline

MODEL = "offline/extractive"
TURNS = 30

Said = dict[str, Any]
#: Sends what the client resends. Returns the reply.
Send = Callable[[list[Said]], str]


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
        kept = self.history[-self.window :] if self.window else self.history
        reply = self.send(first + kept)
        self.history.append({"role": "assistant", "content": reply})
        return reply


def sentences(animal: str, name: str) -> list[str]:
    """What is said in thirty turns: a fact first, and then other things."""
    small_talk = [f"Note {number} about the {animal}." for number in range(TURNS - 1)]
    return [f"My {animal} is called {name}.", *small_talk]


def conversations_of(site: Site) -> set[str]:
    with Throughline(site.url, "none is asked for here") as client:
        return {one.conversation_id for one in client.conversations()}


def stored(site: Site, conversation_id: str) -> list[tuple[str, str]]:
    """(role, text) of each message of a conversation."""
    with Throughline(site.url, "none is asked for here") as client:
        return [(one.role, one.content) for one in client.messages(conversation_id)]


def check_talk(site: Site, make: Callable[[], Talk], animal: str, name: str) -> None:
    """Thirty turns are in one conversation, each message once; another one knows the fact."""
    before = conversations_of(site)
    talk = make()
    for text in sentences(animal, name):
        talk.say(text)
    [conversation_id] = conversations_of(site) - before
    said = [(one["role"], one["content"]) for one in talk.history]
    assert stored(site, conversation_id) == said
    wait_for(lambda: knows(site, name), 60, site.log("worker-llm"))
    assert name in make().say(f"What is my {animal} called?")


def knows(site: Site, name: str) -> bool:
    with Throughline(site.url, "none is asked for here") as client:
        return any(name in one.value for one in client.facts())


def post(site: Site, body: Said, headers: dict[str, str]) -> httpx.Response:
    address = f"{site.url}/v1/chat/completions"
    return httpx.post(address, json=body, headers=headers, timeout=60).raise_for_status()
