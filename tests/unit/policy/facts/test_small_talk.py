"""Which messages no model need read."""

from __future__ import annotations

import pytest

from shared.policy.facts.small_talk import is_small_talk


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "OK!",
        "Thanks",
        "thank you so much",
        "👍",
        "yes please",
        "Hm…",
        "",
        "  ",
        "got it, thanks!",
        "No.",
        "lol 😂",
        "that's great",
        "Thank you, that was all.",
        "Danke, das war alles!",
        "Vielen Dank!",
        "¡Muchas gracias!",
        "谢谢你！",
        "ありがとうございます。",
        "شكرا جزيلا",
        "Большое спасибо!",
    ],
)
def test_fillers_say_nothing(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "ok, I'm vegan",
        "Anna",
        "42",
        "yes, Berlin",
        "thanks, call me Al",
        "да",
        "Danke, ich heiße Petra",
        "你好，我是李明",
        "Привет, я Ольга",
        "مرحبا، اسمي خالد",
        "no nuts",
        "ok " * 7,
    ],
)
def test_anything_else_may_say_something(text: str) -> None:
    assert not is_small_talk(text)
