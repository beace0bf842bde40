"""Who told whom, on which occasion, and whether topics are asked for."""

from __future__ import annotations

import pytest

from shared.policy.ranking.speech import asks_for_topics, read_occasion, role_of


@pytest.mark.parametrize(
    "text",
    [
        "Which film did you recommend to me?",
        "What was your advice about my back?",
        "Welche Schuhe hast du mir empfohlen?",
        "¿Qué cámara me recomendaste?",
        "Quel hôtel m'as-tu conseillé ?",
        "Che libro mi hai consigliato?",
        "O que você me recomendou?",
        "Welk boek heb je me aangeraden?",
        "Bana hangi kitabı önerdin?",
        "Jaką książkę mi poleciłeś?",
        "Какую книгу ты мне посоветовал?",
        "你给我推荐过什么除湿机？",
        "关于睡觉，你跟我说了什么？",
        "どの本を勧めてくれましたか？",
        "무슨 책을 추천해 줬어?",
        "أي كتاب اقترحت لي؟",
        "तुमने मुझे कौन सी किताब बताई?",
    ],
)
def test_what_the_assistant_told(text: str) -> None:
    assert role_of(text) == "assistant"


@pytest.mark.parametrize(
    "text",
    [
        "Did I tell you where I live?",
        "What did I tell you about Rex?",
        "Was habe ich dir von Rex erzählt?",
        "¿Qué te conté de mi perro?",
        "Qu'est-ce que je t'ai raconté ?",
        "Что я тебе рассказала про собаку?",
        "我第一次跟你说我的房子是怎么说的？",
        "私は今どこで働いていますか？",
        "ماذا أخبرتك عن أخي؟",
        "Where do I work?",
    ],
)
def test_what_the_user_told(text: str) -> None:
    assert role_of(text) == "user"


@pytest.mark.parametrize(
    "text",
    [
        "What did we talk about on 3 May?",
        "Worüber haben wir am 5. Mai gesprochen?",
        "¿De qué hablamos el 3 de mayo?",
        "De quoi avons-nous parlé hier ?",
        "О чём мы говорили 4 мая?",
        "4月27号我们聊了什么？",
        "5月4日に何を話しましたか？",
        "عن ماذا تحدثنا في 3 مايو؟",
    ],
)
def test_what_asks_for_topics(text: str) -> None:
    assert asks_for_topics(text)


def test_what_asks_for_a_fact_asks_for_no_topics() -> None:
    assert not asks_for_topics("What did I say about the talk on Friday?")


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("What did I tell you the first time?", "first"),
        ("İlk konuşmamızda ne anlattım?", "first"),
        ("What was our first conversation about?", "first"),
        ("What did you recommend last time?", "last"),
        ("Was habe ich dir beim ersten Mal erzählt?", "first"),
        ("第一次", "first"),
        ("上次你推荐了什么", "last"),
        ("в последний раз", "last"),
        ("Where do I live?", None),
    ],
)
def test_occasions(text: str, occasion: str | None) -> None:
    assert read_occasion(text) == occasion
