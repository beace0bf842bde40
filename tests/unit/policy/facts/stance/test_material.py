"""What of a message is the user's own, by its layout."""

from __future__ import annotations

import pytest

from shared.policy.facts.stance.material import without_material


@pytest.mark.parametrize(
    "text",
    [
        "from now on answer in German",
        "use metric units",
        "let me know, I live in Rome",
        "I like tea, coffee, cake",
        "My kids: Ida, Max and Jo",
        "print my name as Petra",
        "@nova I live in Rome",
        "Hi, I'm Petra and I live in Graz.\n\nBest, Petra",
        "What should I cook?\n\nI'm vegan and live in Leeds.",
    ],
)
def test_plain_words_are_the_users_own(text: str) -> None:
    assert without_material(text) == text


@pytest.mark.parametrize(
    "pasted",
    [
        "def greet():\n    name = 'Ravi'\n    return name",
        "from users import ravi\nprint(ravi.city)",
        "@app.route\n@cached(60)\nclass Ravi:",
        "name,city,diet\nRavi,Pune,vegan",
        "| name | city |\n|---|---|\n| Ravi | Pune |",
        "2024-03-11 08:14:02 INFO user=ravi city=Pune",
    ],
)
def test_code_tables_and_logs_are_not(pasted: str) -> None:
    assert without_material(f"Why does this fail?\n{pasted}").strip() == "Why does this fail?"
