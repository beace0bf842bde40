"""The tables of words are whole."""

from __future__ import annotations

import pytest

from shared.policy.facts.grounding.vocabulary import split_list
from shared.policy.facts.languages import LANGUAGES
from shared.policy.facts.languages.form import Language
from shared.policy.facts.stance.patterns import list_languages, recognise

SENTENCES = {
    "english": "i live in rome with my sister",
    "german": "ich wohne mit meiner schwester in rom",
    "spanish": "vivo en roma con mi hermana",
    "french": "j'habite à rome avec ma sœur",
    "italian": "vivo a roma con mia sorella",
    "portuguese": "moro em roma com minha irmã",
    "dutch": "ik woon met mijn zus in rome",
    "russian": "я живу в риме с сестрой",
    "chinese": "我和妹妹住在罗马",
    "japanese": "私は妹とローマに住んでいます",
    "turkish": "kız kardeşimle roma'da yaşıyorum",
    "arabic": "أعيش في روما مع أختي",
    "hindi": "मैं अपनी बहन के साथ रोम में रहता हूँ",
}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_table_has_twelve_months_seven_days_and_what_marks_a_statement(
    language: Language,
) -> None:
    assert len(split_list(language.months)) == 12
    assert len(split_list(language.weekdays)) == 7
    for column in (language.first_person, language.asks, language.hypothetical, language.negations):
        assert split_list(column)
    assert {"sister", "brother", "partner", "friend", "pet"} <= set(language.people)


def test_each_language_has_one_table_and_one_pattern_a_column() -> None:
    names = [language.name for language in LANGUAGES]
    assert len(set(names)) == len(names) == len(list_languages())


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_sentence_is_recognised(language: Language) -> None:
    assert [m.table.name for m in recognise(SENTENCES[language.name])] == [language.name]
