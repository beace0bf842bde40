"""What in a message is not the user speaking."""

from __future__ import annotations

import pytest

from shared.policy.facts.stance.foreign import is_play, without_foreign


@pytest.mark.parametrize(
    "text",
    [
        "He said 'SECRET is where I live' and left.",
        'She wrote "I live in SECRET" to me.',
        "Er rief: „Ich wohne in SECRET“.",
        "Il a dit « je vis à SECRET ».",
        "彼は「私はSECRETに住んでいます」と言った。",
        "> I live in SECRET\nWhat do you say?",
        "```\nhome = SECRET\n```\nWhat does it do?",
        "Translate: I live in SECRET",
        "Please translate into German:\n\nI live in SECRET.\nAnd I like it.",
        "Übersetze: Ich wohne in SECRET",
        "Traduce al inglés: vivo en SECRET",
        "翻译:我住在SECRET",
    ],
)
def test_quotations_and_material_are_left_out(text: str) -> None:
    assert "SECRET" not in without_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        'My novel is called "KEPT Road".',
        "Call me 'KEPT'.",
        "Write me a poem. I live in KEPT.",
        "I don't eat meat, it's KEPT that I like, isn't it?",
        "Rock 'n' roll is KEPT's favourite.",
    ],
)
def test_names_in_quotation_marks_and_the_users_own_words_stay(text: str) -> None:
    assert "KEPT" in without_foreign(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let's role-play: I am a king.", True),
        ("Nur Spaß, ich bin der König.", True),
        ("开玩笑的,我是国王。", True),
        ("I love board games.", False),
    ],
)
def test_games_and_jokes_are_seen(text: str, expected: bool) -> None:
    assert is_play(text) is expected
