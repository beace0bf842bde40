"""How a fact reads."""

from __future__ import annotations

import pytest

from shared.models import Category
from shared.policy.fact_sentence import fact_sentence


@pytest.mark.parametrize(
    ("category", "key", "value", "sentence"),
    [
        ("identity", "home_city", "Rome", "The user's home city: Rome"),
        ("constraint", "allergy_penicillin", "penicillin",
         "The user's constraint (allergy): penicillin"),
        ("preference", "sing", "choir", "The user's preference (sing): choir"),
        ("preference", "favorite_drink", "зелёный чай",
         "The user's preference (favorite drink): зелёный чай"),
        ("identity", "home_city", "Mexico City", "The user's home: Mexico City"),
        ("preference", "tea", "likes tea", "The user's preference (tea): likes tea"),
        ("identity", "statement_3fa91c", "In summer I live in Oslo.",
         "About the user: In summer I live in Oslo."),
        ("instruction", "statement_3fa91c", "Never use emojis",
         "The user's instruction: Never use emojis"),
    ],
)  # fmt: skip
def test_a_fact_reads_as_a_sentence(
    category: Category, key: str, value: str, sentence: str
) -> None:
    assert fact_sentence(category, key, value) == sentence
