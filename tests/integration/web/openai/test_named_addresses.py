"""Addresses of images and files in a client's messages: nothing inside is fetched for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import Client

INSIDE = (
    "http://127.0.0.1:6379/", "http://localhost/a.png", "https://10.0.0.1/a.png",
    "http://169.254.169.254/latest/meta-data", "http://[fd00:ec2::254]/latest",
    "http://[::ffff:10.0.0.1]/", "http://[64:ff9b::a9fe:a9fe]/", "http://[2002:7f00:1::]/",
    "http://2130706433/", "http://0x7f.1/", "http://127.0.0.1./", " HTTP://127.1/",
    "http://user:secret@127.0.0.1/", "http://1.1.1.1@127.0.0.1/", "ht\ttp://127.0.0.1/",
    "http:///a.png", "http://1.1.1.1\\@127.0.0.1/", "http://[::1", "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL", "http://０x7f.1/",
)  # fmt: skip
ELSEWHERE = (
    "https://1.1.1.1/a.png", "data:image/png;base64,AAAA", "https://nobody.invalid/a.png",
    "gs://bucket/a.png", "iVBORw0KGgo=", "/9j/4AAQSkZJRg==",
)  # fmt: skip


def parts(address: str) -> list[dict[str, Any]]:
    return [
        {"type": "image_url", "image_url": {"url": address}},
        {"type": "image_url", "image_url": address},
        {"type": "file", "file": {"file_id": address}},
        {"type": "video_url", "video_url": {"url": address}},
        {"type": "image", "source": {"type": "url", "url": address}},
    ]


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_inside_is_refused_before_anything_is_sent(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI, address: str
) -> None:
    for part in parts(address):
        answer = wired_client.post([{"role": "user", "content": [part]}])
        assert answer.status_code == 400, (address, part)
        assert answer.get_json()["error"]["param"].startswith("messages.0.content.0.")
    image = {"type": "input_image", "image_url": address}
    body = {"model": "fake-model", "input": [{"role": "user", "content": [image]}]}
    answer = wired.client.post("/v1/responses", json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["param"].startswith("input.0.content.0.")
    assert openai_server.requests == []


@pytest.mark.parametrize("address", ELSEWHERE)
def test_what_is_public_or_comes_along_is_passed_on(
    wired_client: Client, openai_server: FakeOpenAI, address: str
) -> None:
    part = parts(address)[0]
    assert wired_client.post([{"role": "user", "content": [part]}]).status_code == 200
    assert openai_server.requests[-1].body["messages"][-1]["content"] == [part]


def test_words_are_no_address(wired_client: Client) -> None:
    words = "http://127.0.0.1:8000/ does not answer, why?"
    for content in (words, [{"type": "text", "text": words}]):
        assert wired_client.post([{"role": "user", "content": content}]).status_code == 200
