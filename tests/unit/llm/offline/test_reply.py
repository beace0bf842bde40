from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.llm.offline.answer import write_answer
from shared.llm.offline.remembered import Remembered, read_memory
from shared.llm.offline.reply import NOTHING_FOUND, NOTHING_KNOWN
from shared.models import ConversationId, Episode, Fact, Point, Span
from shared.policy.prompt import Recalled, render_memory

MEMORY = """You are helpful.

<memory>
What follows was remembered from what the user said before. My name is Mallory.

## User Profile
- identity: name = Alexander (since 2026-10-01)
- identity: home = Rotterdam (since 2026-10-01)
- preference: tea = likes tea (since 2026-10-01)
- constraint: allergy_nuts = nuts &amp; seeds (since 2026-10-01)
- instruction: emojis = never use emojis (since 2026-10-01)

## Earlier conversations
- 2026-11-02, messages 0-9: User: We planned the trip to Oslo in March.

## This conversation so far
- [0-1] User: My budget is 900 euros.
</memory>"""


def reply(text, *earlier, system=MEMORY):
    roles = ("user", "assistant")
    messages = [{"role": "system", "content": system}]
    messages += [{"role": roles[n % 2], "content": said} for n, said in enumerate(earlier)]
    return write_answer([*messages, {"role": "user", "content": text}])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my name?", "Your name is Alexander."),
        ("do you remember what I am called", "Your name is Alexander."),
        ("Where do I live?", "You live in Rotterdam."),
        ("Which city is my home?", "You live in Rotterdam."),
        ("Do I like tea?", "You like tea."),
        ("What am I allergic to?", "You are allergic to nuts & seeds."),
        (
            "When is the trip to Oslo?",
            "From 2 November 2026: “We planned the trip to Oslo in March.”",
        ),
        ("What is my budget?", "Earlier: “My budget is 900 euros.”"),
    ],
)
def test_a_question_gets_the_remembered_sentence(question, answer):
    assert reply(question) == answer


def test_what_is_not_remembered_is_not_made_up():
    assert reply("What is the capital of Peru?") == NOTHING_FOUND
    assert reply("What is my name?", system="You are helpful.") == NOTHING_FOUND
    assert reply("What do you know about me?", system="You are helpful.") == NOTHING_KNOWN


def test_all_facts_are_told_when_asked_for():
    lines = reply("What do you know about me?").splitlines()

    assert "- Your name is Alexander." in lines
    assert "- You asked me never to use emojis." in lines
    assert len([line for line in lines if line.startswith("- ")]) == 5


def test_the_earlier_messages_of_the_conversation_are_remembered_too():
    earlier = ("The code word is marzipan.", "Noted.")

    assert reply("What was the code word?", *earlier) == "Earlier: “The code word is marzipan.”"
    assert reply("What did I just say?", *earlier) == "You said: “The code word is marzipan.”"


def test_a_sentence_with_the_question_s_own_words_beats_a_fact_with_other_words_for_them():
    earlier = ("I keep a boat called Albatross.", "Noted.")

    assert reply("What was my boat called?", *earlier) == (
        "Earlier: “I keep a boat called Albatross.”"
    )


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        ("I'm allergic to peanuts.", "Noted. You are allergic to peanuts."),
        ("My name is Kim and I live in Delft.", "Noted. Your name is Kim. You live in Delft."),
        ("My cat is called Biscuit.", "Noted. Your cat's name is Biscuit."),
        ("I no longer like tea.", "Noted: that no longer holds (tea)."),
        ("The ferry leaves from Kiel.", "Noted."),
        ("Thanks!", "You're welcome!"),
    ],
)
def test_a_statement_is_acknowledged_with_what_was_understood(statement, answer):
    assert reply(statement) == answer


def test_a_greeting_is_returned_by_name_and_says_what_it_comes_from():
    answer = reply("Hello!")

    assert answer.startswith("Hello, Alexander!")
    assert "not a language model" in answer


SAID = """<memory>
## Said before

Friday, 2023-06-09:
- User: We adopted a puppy last week. Is it raining?
- Ann: My puppy came from a shelter yesterday.
- Assistant: A puppy is a joy.
- Ann: I gave a talk about puppies at the school two months ago.

Sunday, 2023-07-02:
- User: The vet bill for the puppy was 90 euros.
</memory>"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "When did we adopt the puppy?",
            "The week before 9 June 2023: you said on 9 June 2023: “We adopted a puppy last week.”",
        ),
        (
            "When did Ann's puppy come?",
            "8 June 2023: Ann said on 9 June 2023: “My puppy came from a shelter yesterday.”",
        ),
        (
            "What was the vet bill?",
            "You said on 2 July 2023: “The vet bill for the puppy was 90 euros.”",
        ),
        (
            "Where did Ann give a talk?",
            "Ann said on 9 June 2023: “I gave a talk about puppies at the school two months ago.”",
        ),
        ("Is there a submarine in the bathtub?", NOTHING_FOUND),
    ],
)
def test_a_quote_is_told_with_who_said_it_and_when(question, answer):
    assert reply(question, system=SAID) == answer


def test_one_shared_word_of_many_is_no_answer():
    question = "Which puppy won the great silver trophy of Edinburgh castle?"

    assert reply(question, system=SAID) == NOTHING_FOUND


def test_quoted_text_is_shown_as_it_is_and_not_as_markdown():
    answer = reply("What is the code?", "The code is **[x](http://y)** <b>`z`</b>.", "Noted.")

    assert r"\*\*\[x\](http://y)\*\* \<b\>\`z\`\</b\>" in answer


def test_the_same_prompt_gets_the_same_answer():
    assert len({reply("Where do I live and what do I like?") for _ in range(5)}) == 1


def test_the_block_is_read_as_the_prompt_writes_it():
    at = datetime(2026, 11, 2, tzinfo=UTC)
    fact = Fact(
        fact_id=1,
        category="identity",
        key="name",
        value="Al = <Alex>",
        confidence=1,
        importance=1,
        is_active=True,
        source_conversation_id=None,
        source_sequence=None,
        confirmed_at_turn=0,
        valid_from=at,
        valid_to=None,
        superseded_by=None,
    )
    episode = Episode(
        episode_id=1,
        conversation_id=ConversationId("c"),
        span=Span(start=0, end=9),
        summary="A trip: to Oslo.",
        key_concepts=(),
        started_at=at,
        ended_at=at,
        embedding_model=None,
        created_at=at,
    )
    point = Point(text="User: Salt & <pepper>.", first=0, last=1)
    block = render_memory(Recalled(facts=[fact], episodes=[episode], points=[point]))

    assert read_memory([{"role": "system", "content": block}]) == [
        Remembered(kind="fact", key="name", text="Al = <Alex>"),
        Remembered(kind="earlier", text="A trip: to Oslo.", date="2026-11-02"),
        Remembered(kind="here", text="Salt & <pepper>."),
    ]


def test_a_question_that_was_asked_before_is_no_answer_to_itself():
    said = """<memory>
## Said before

Friday, 2026-11-20:
- User: Where did I leave my bicycle?
- User: The bicycle stands at the station.
</memory>"""
    assert "stands at the station" in reply("Where did I leave my bicycle?", system=said)
    only = said.replace("- User: The bicycle stands at the station.\n", "")
    assert reply("Where did I leave my bicycle?", system=only) == NOTHING_FOUND
