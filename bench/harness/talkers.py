"""Simulated users. Each sends one message after the other, and repeats it until it is taken."""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from bench.harness.site import USER_HEADER

REPLY_S = 60.0
PATIENCE_S = 180.0  # how long one message is sent again and again
ROUNDS_EACH = 20  # of a conversation, then a new one begins


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A message that the site answered. `tries` counts how often it was sent."""

    text: str
    tries: int
    taken_s: float


@dataclass
class Talker(threading.Thread):
    """`pause_s` is the longest pause between two messages."""

    url: str
    user: str
    pause_s: float
    messages: list[Taken] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    refused: list[httpx.Response] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        conversation_id: str | None = None
        with httpx.Client(base_url=self.url, timeout=REPLY_S, trust_env=False) as client:
            for number in range(1_000_000):
                if number % ROUNDS_EACH == 0:
                    conversation_id = None
                if self.stopped.is_set():
                    return
                text = f"{self.user} says number {number}: my favourite number is {number}."
                conversation_id = self._say(client, text, conversation_id)
                time.sleep(random.uniform(0, self.pause_s))

    def _say(self, client: httpx.Client, text: str, conversation_id: str | None) -> str | None:
        """Send under one key until it is taken. Returns the conversation's id."""
        headers = {USER_HEADER: self.user, "Idempotency-Key": str(uuid.uuid4())}
        place = {"conversation_id": conversation_id} if conversation_id else {}
        began = time.monotonic()
        tries = 0
        while time.monotonic() - began < PATIENCE_S:
            tries += 1
            answer = self._post(client, {"message": text} | place, headers)
            if answer is not None and "sequence" in (body := answer.json()):
                taken_s = time.monotonic() - began
                self.messages.append(Taken(text=text, tries=tries, taken_s=taken_s))
                return str(body["conversation_id"])
            time.sleep(_wait_s(answer))
        self.given_up.append(text)
        return None

    def _post(
        self, client: httpx.Client, body: dict[str, str], headers: dict[str, str]
    ) -> httpx.Response | None:
        try:
            answer = client.post("/chat", json=body, headers=headers)
        except httpx.HTTPError as exc:
            self.failed.append(type(exc).__name__)
            return None
        if not answer.is_success:
            self.failed.append(str(answer.status_code))
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            self.refused.append(answer)
        return answer


@contextmanager
def talking(url: str, users: Sequence[str], pause_s: float) -> Iterator[list[Talker]]:
    """The users talk until the block ends and their last messages are taken."""
    talkers = [Talker(url, user, pause_s) for user in users]
    for talker in talkers:
        talker.start()
    yield talkers
    for talker in talkers:
        talker.stopped.set()
    for talker in talkers:
        talker.join()


def _wait_s(answer: httpx.Response | None) -> float:
    """As long as the site's `Retry-After` asks for."""
    seconds = answer.headers.get("Retry-After") if answer is not None else None
    return float(seconds) if seconds else 0.5
