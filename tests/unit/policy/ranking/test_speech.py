"""Who told whom, when, and whether topics or the whole time are asked for."""

from __future__ import annotations

import pytest

from shared.policy.ranking.speech import (
    asks_for_topics,
    asks_for_whole,
    asks_how_long,
    read_occasion,
    role_of,
    standing_pattern,
)


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


@pytest.mark.parametrize(
    "text",
    [
        "What would you recommend for my back?",
        "Which libraries do you suggest?",
        "How would you set this up?",
        "Welche Schuhe würdest du empfehlen?",
    ],
)
def test_a_request_does_not_ask_for_what_the_assistant_told(text: str) -> None:
    assert role_of(text) != "assistant"


@pytest.mark.parametrize(
    "text",
    [
        "Always show the formula when I ask about area.",
        "Please never use tables.",
        "From now on, answer in short sentences.",
        "I prefer lightweight libraries.",
        "I’d rather walk.",
        "Bitte immer mit Beispiel.",
        "Antworte mir immer auf Deutsch.",
        "Ich mag kurze Antworten.",
        "Siempre con ejemplos, por favor.",
        "No me gustan las tablas.",
        "Réponds-moi toujours en français.",
        "J'aime les réponses courtes.",
        "Rispondi sempre in italiano.",
        "Sempre com exemplos.",
        "Geef altijd een voorbeeld.",
        "Her zaman kısa yaz.",
        "Zawsze podawaj przykład.",
        "Всегда отвечай кратко.",
        "دائما أجب باختصار",
        "हमेशा उदाहरण दें।",
        "以后请用中文回答。",
        "我更喜欢轻量的库。",
        "いつも例を挙げてください。",
        "항상 예를 들어 주세요.",
    ],
)
def test_what_holds_for_good(text: str) -> None:
    assert standing_pattern().match(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'd like to know where the station is.",
        "Where do I always lose my keys?",
        "We have always lived in Oslo.",
        "Neverland is a film.",
        "Can you help me with a login?",
        "Wie immer bin ich zu spät.",
        "Il fait toujours froid.",
    ],
)
def test_what_only_looks_so(text: str) -> None:
    assert not standing_pattern().match(text)


@pytest.mark.parametrize(
    "text",
    [
        "In which order did I bring up the parts of my budget app? Name only three.",
        "Summarize how my essay has developed over time.",
        "How many different dishes have I cooked?",
        "What has changed since I began to run?",
        "Can you list everything I told you about the garden?",
        "In welcher Reihenfolge habe ich von den Umzügen erzählt?",
        "Fass zusammen, wie mein Projekt gelaufen ist.",
        "Wie viele verschiedene Bücher habe ich erwähnt?",
        "¿En qué orden te hablé de mis viajes?",
        "Resume cómo ha avanzado mi tesis.",
        "Dans quel ordre ai-je parlé de mes voyages ?",
        "Résume ce que j'ai dit de mon jardin.",
        "In che ordine ho parlato dei miei viaggi?",
        "Riassumi come è andato il mio progetto.",
        "Em que ordem falei das minhas viagens?",
        "Quantas receitas diferentes eu mencionei?",
        "In welke volgorde vertelde ik over mijn reizen?",
        "Vat samen hoe mijn project verliep.",
        "Gezilerimi hangi sırayla anlattım?",
        "Projemin nasıl geliştiğini özetle.",
        "W jakiej kolejności mówiłem o podróżach?",
        "Podsumuj mój projekt.",
        "В каком порядке я рассказывал о поездках?",
        "Сколько разных книг я упоминал?",
        "بأي ترتيب تحدثت عن رحلاتي؟",
        "لخص كيف تطور مشروعي",
        "मैंने यात्राओं के बारे में किस क्रम में बताया?",
        "मेरी परियोजना का सारांश दो।",
        "我是按什么顺序提到这些旅行的？",
        "总结一下我的项目进展。",
        "旅行の話をした順番は？",
        "プロジェクトの経過を要約して。",
        "여행 이야기를 어떤 순서로 했지?",
        "내 프로젝트를 요약해 줘.",
    ],
)
def test_what_asks_about_the_whole_time(text: str) -> None:
    assert asks_for_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "Where do I live?",
        "What did I order at the pizzeria?",
        "How should I word my resume?",
        "How much is my resume service each month?",
        "How many brothers do I have?",
        "Welche Schuhe soll ich nehmen?",
        "¿Cuántos hermanos tengo?",
        "Comment s'appelle mon chat ?",
        "我的猫叫什么？",
        "Please summarize how this works: " + "It runs on rails. " * 40,
    ],
)
def test_what_asks_for_single_things(text: str) -> None:
    assert not asks_for_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "How long did I live in Ulm?",
        "How many days are there between my first draft and the deadline?",
        "How many more weeks do I have?",
        "How much time passed since I moved?",
        "Wie lange habe ich in Ulm gewohnt?",
        "Wie viele Tage lagen zwischen den beiden Reisen?",
        "¿Cuántas semanas pasaron entre los dos viajes?",
        "Combien de temps ai-je vécu à Lyon ?",
        "Quanti giorni mancano alla festa?",
        "Quanto tempo morei em Lisboa?",
        "Hoeveel dagen zaten er tussen?",
        "İki gezi arasında kaç gün geçti?",
        "Ile dni minęło między wyjazdami?",
        "Сколько дней прошло между поездками?",
        "كم يوما مر بين الرحلتين؟",
        "दोनों यात्राओं के बीच कितने दिन थे?",
        "两次旅行之间隔了多少天？",
        "二つの旅行の間は何日でしたか？",
        "두 여행 사이는 며칠이었어?",
    ],
)
def test_what_asks_how_long(text: str) -> None:
    assert asks_how_long(text)


@pytest.mark.parametrize(
    "text", ["What did I do last week?", "How many cats do I have?", "Welcher Tag war das?"]
)
def test_what_does_not(text: str) -> None:
    assert not asks_how_long(text)
