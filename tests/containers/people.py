"""Three people who talk to a site that may be away for a while."""

from __future__ import annotations

import re
import threading
import uuid
from collections import Counter
from dataclasses import dataclass, field

import httpx

from tests.waiting import wait_for
from throughline_client import ApiError, ConnectionFailedError, Throughline

PASSWORD = "walks on the moon"  # noqa: S105
PATIENCE_S = 180
TOWNS = ("Lisbon", "Oslo", "Quito", "Riga", "Dakar", "Perth")
NAMES = ("Olga", "Ada", "Ben")


def sign_up(url: str, first_link: str) -> None:
    """The first account, the operator's, by the link of the log; the others by her invitations."""
    with httpx.Client(base_url=url, timeout=PATIENCE_S) as operator:
        _make_account(operator, NAMES[0], first_link)
        for name in NAMES[1:]:
            html = _submit(operator, "/account/people", "/account/people/invite", {}).text
            [link] = re.findall(r'name="link"[^>]* value="([^"]+)"', html)
            with httpx.Client(base_url=url, timeout=PATIENCE_S) as guest:
                _make_account(guest, name, link)


def sign_in(url: str) -> None:
    with httpx.Client(base_url=url, timeout=PATIENCE_S) as browser:
        fields = {"name": NAMES[0], "password": PASSWORD}
        _submit(browser, "/account/sign-in", "/account/sign-in", fields)
        assert browser.get("/api/v1/facts").status_code == 200


def _make_account(browser: httpx.Client, name: str, link: str) -> None:
    secret = link.rsplit("link=", maxsplit=1)[-1]
    fields = {"name": name, "password": PASSWORD, "again": PASSWORD, "link": secret}
    _submit(browser, f"/account/sign-up?link={secret}", "/account/sign-up", fields)


def _submit(browser: httpx.Client, page: str, path: str, fields: dict[str, str]) -> httpx.Response:
    html = browser.get(page).text
    match = re.search(r'name="csrf_token" value="([^"]+)"', html)
    assert match, html[:500]
    answer = browser.post(path, data=fields | {"csrf_token": match[1]})
    assert answer.status_code in {200, 303}, answer.text[:2000]
    return answer


@dataclass
class Person:
    name: str
    site: Throughline
    conversation_id: str | None = None
    texts: list[str] = field(default_factory=list)
    failed: int = 0  # replies that broke off with the process that wrote them

    def say(self, text: str) -> None:
        """Send it under one key until it is answered, or its reply has failed for good."""
        key = uuid.uuid4().hex
        wait_for(lambda: self._is_over(text, key), PATIENCE_S)
        self.texts.append(text)

    def _is_over(self, text: str, key: str) -> bool:
        try:
            reply = self.site.chat(text, self.conversation_id, idempotency_key=key)
        except (ApiError, ConnectionFailedError) as exc:
            has_failed = getattr(exc, "code", "") == "reply_failed" and bool(self.conversation_id)
            self.failed += has_failed
            return has_failed
        self.conversation_id = reply.conversation_id
        return True

    def talk(self, rounds: int) -> None:
        for _ in range(rounds):
            number = len(self.texts)
            town = TOWNS[number % len(TOWNS)]
            self.say(
                f"My name is {self.name}."
                if number == 0
                else f"I live in {town}."
                if number % 5 == 1
                else f"Day {number}: I walked by the river in {town} and saw {number} boats."
            )

    def count_kept(self) -> Counter[str]:
        """How often each message of this person is there."""
        assert self.conversation_id is not None
        messages = self.site.messages(self.conversation_id)
        return Counter(message.content for message in messages if message.role == "user")


class People:
    def __init__(self, people: list[Person]) -> None:
        self.people = people

    def talk(self, rounds: int) -> list[threading.Thread]:
        """Each says `rounds` things, all at the same time."""
        threads = [threading.Thread(target=person.talk, args=(rounds,)) for person in self.people]
        for thread in threads:
            thread.start()
        return threads

    @property
    def text_count(self) -> int:
        return sum(len(person.texts) for person in self.people)

    @property
    def failed(self) -> int:
        return sum(person.failed for person in self.people)

    def lost(self) -> list[str]:
        """What is not there exactly once."""
        return [
            f"{person.name}: {text!r} {person.count_kept()[text]} times"
            for person in self.people
            for text, count in Counter(person.texts).items()
            if person.count_kept()[text] != count
        ]
