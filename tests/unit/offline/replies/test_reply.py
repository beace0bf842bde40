from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.models import ConversationId, Episode, Fact, Point, Span
from shared.offline.answer import write_answer
from shared.offline.reading import Remembered, read_memory
from shared.offline.texts import (
    ABOUT_ITSELF,
    CANNOT_REMOVE,
    NEEDS_MODEL,
    NOTHING_FOUND,
    NOTHING_KNOWN,
    NOTHING_LEARNED,
    UNKNOWN,
)
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
    assert reply("What is the capital of Peru?") == UNKNOWN
    assert reply("What is my boat called?") == NOTHING_FOUND
    assert reply("What is my name?", system="You are helpful.") == NOTHING_FOUND
    assert reply("What do you know about me?", system="You are helpful.") == NOTHING_KNOWN


def test_all_facts_are_told_when_asked_for():
    assert reply("what do you remember?") == reply("Tell me something about me.")
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
        ("The ferry leaves from Kiel.", NOTHING_LEARNED),
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
        ("Is there a submarine in the bathtub?", UNKNOWN),
    ],
)
def test_a_quote_is_told_with_who_said_it_and_when(question, answer):
    assert reply(question, system=SAID) == answer


def test_one_shared_word_of_many_is_no_answer():
    question = "Which puppy won the great silver trophy of Edinburgh castle?"

    assert reply(question, system=SAID) == UNKNOWN


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


@pytest.mark.parametrize(
    "question",
    [
        "What can you do?",
        "hi, what can you do",
        "who are you",
        "help",
        "Can you help me?",
        "are you an AI?",
        "Are you ChatGPT?",
        "which model are you",
        "What is this?",
        "what is this site?",
        "How does this work?",
        "what can I ask you?",
        "What is your name?",
        "How old are you?",
        "Do you speak German?",
        "Can you swim?",
        "can you remember things?",
        "I have a question",
        "I don't understand",
        "Tell me about yourself.",
        "How do I set a real model?",
        "?",
    ],
)
def test_asked_about_itself_it_says_what_it_is_what_it_can_and_how_to_set_a_model(question):
    assert reply(question) == ABOUT_ITSELF


def test_what_it_says_of_itself_names_the_setting_and_is_no_boast():
    assert "LLM_MODEL" in ABOUT_ITSELF
    assert "not a language model" in ABOUT_ITSELF
    assert "cannot" in ABOUT_ITSELF
    assert "LLM_MODEL" in NEEDS_MODEL
    assert "LLM_MODEL" in UNKNOWN


@pytest.mark.parametrize(
    "request_",
    [
        "Write a function that reverses a string.",
        "Could you please write me a poem?",
        'please translate "good morning" into French',
        "explain quantum physics",
        "Summarise this text: The fox jumps over the dog.",
        "What is 12 * 7?",
        "what's 17+4",
        "Tell me a joke",
        "Show me an example",
        "I would like a recipe for soup",
        "tell me a story about my dog",
        "Give me three ideas for a party.",
        "How do I bake bread?",
        "What should I cook tonight?",
        "I need help with my tax return.",
        "I want you to act as a pirate",
        "Code review please: ```def f(x): return x```",
    ],
)
def test_a_request_for_a_model_is_told_that_it_needs_one(request_):
    assert reply(request_) == NEEDS_MODEL


@pytest.mark.parametrize(
    "question", ["Who wrote Hamlet?", "why is the sky blue", "How many people live in Rotterdam?"]
)
def test_general_knowledge_is_said_to_need_a_model_after_memory_was_searched(question):
    assert reply(question) == UNKNOWN


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my dog called?", NOTHING_FOUND),
        ("What is my sister's name?", NOTHING_FOUND),
        ("Where does my brother live?", NOTHING_FOUND),
        ("What is my favourite colour?", NOTHING_FOUND),
        ("What did I say about submarines?", NOTHING_FOUND),
        ("Where does Anna live?", UNKNOWN),
        ("dog name?", UNKNOWN),
        ("name?", "Your name is Alexander."),
        ("who is the president of the US", UNKNOWN),
        ("I want to know where I live", "You live in Rotterdam."),
        ("What do I like?", "You like tea."),
        ("Can I eat nuts?", "You are allergic to nuts & seeds."),
        ("tell me my name", "Your name is Alexander."),
        (
            "What is my name and where do I live?",
            "Your name is Alexander.\n\nYou live in Rotterdam.",
        ),
    ],
)
def test_a_fact_answers_only_what_it_is_about(question, answer):
    assert reply(question) == answer


def test_my_name_is_not_my_dogs_and_my_dogs_is_not_mine():
    dog = "<memory>\n## User Profile\n- identity: dog_name = Rex (since 2026-10-01)\n</memory>"

    assert reply("What is my name?", system=dog) == NOTHING_FOUND
    assert reply("What is my dog called?", system=dog) == "Your dog's name is Rex."
    assert reply("Who is Rex?", system=dog) == "Your dog's name is Rex."


def test_all_that_fit_a_question_alike_are_told():
    system = MEMORY.replace("- instruction", "- constraint: allergy_cats = cats\n- instruction")

    assert reply("What am I allergic to?", system=system) == (
        "You are allergic to nuts & seeds. You are allergic to cats."
    )


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("I'm vegan. Suggest a dinner.", f"Noted. You are vegan.\n\n{NEEDS_MODEL}"),
        (
            "My dog is called Rex. What is my name?",
            "Noted. Your dog's name is Rex.\n\nYour name is Alexander.",
        ),
        ("We have two kids, Mia and Leo.", "Noted. Your kids' names are Mia and Leo."),
        ("I live in Oslo for now.", NOTHING_LEARNED),
        ("Ich wohne in Berlin.", NOTHING_LEARNED),
        ("ok", "All right."),
        ("Bye!", "Goodbye!"),
        ("Forget my name.", CANNOT_REMOVE),
        ("How are you?", reply("Hello!")),
    ],
)
def test_a_message_gets_what_it_is_due(message, answer):
    assert reply(message) == answer


@pytest.mark.parametrize(
    "now", ["Sunday, 22 November 2026, 14:31 UTC", "Sunday, 14:31 (Europe/Oslo)"]
)
def test_the_time_is_the_prompts(now):
    assert reply("What day is it?", system=f"Be kind.\n\nNow it is {now}.") == f"Now it is {now}."


def test_the_block_is_found_by_its_headings_whatever_stands_before_them():
    system = MEMORY.replace("What follows was remembered", "Notes, in short: remembered")

    assert reply("Where do I live?", system=system) == "You live in Rotterdam."


def test_a_question_without_its_mark_is_no_answer_either():
    earlier = ("what do i do for a living", "Hm.", "My job is dull. I lived in Kiel once.", "Hm.")

    assert reply("Where do I live?", *earlier) == "You live in Rotterdam."
    assert reply("What do I do for a living?", *earlier) == "Earlier: “My job is dull.”"


def test_what_was_said_is_no_better_than_the_fact_that_was_made_of_it():
    system = MEMORY.replace("- identity: home", "- identity: job = a baker\n- identity: home")
    earlier = ("I live in Lisbon with my husband.", "Noted.")

    assert reply("Where do I live?", *earlier, system=system) == "You live in Rotterdam."
    assert reply("Where am I from?", *earlier, system=system) == NOTHING_FOUND
