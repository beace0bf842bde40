from __future__ import annotations

from shared.offline.replies.canned import NOTHING_FOUND, UNKNOWN
from tests.unit.offline.replies.asking import MEMORY, QUOTES, reply


def test_a_sentence_with_the_question_s_own_words_beats_a_fact_with_other_words_for_them() -> None:
    earlier = ("I keep a boat called Albatross.", "Noted.")

    assert reply("What was my boat called?", *earlier) == (
        "Earlier: “I keep a boat called Albatross.”"
    )


def test_one_shared_word_of_many_is_no_answer() -> None:
    question = "Which puppy won the great silver trophy of Edinburgh castle?"

    assert reply(question, system=QUOTES) == UNKNOWN


def test_a_question_that_was_asked_before_is_no_answer_to_itself() -> None:
    memory = """<memory>
## Said before

Friday, 2026-11-20:
- User: Where did I leave my bicycle?
- User: The bicycle stands at the station.
</memory>"""
    assert "stands at the station" in reply("Where did I leave my bicycle?", system=memory)
    only = memory.replace("- User: The bicycle stands at the station.\n", "")
    assert reply("Where did I leave my bicycle?", system=only) == NOTHING_FOUND


def test_my_name_is_not_my_dogs_and_my_dogs_is_not_mine() -> None:
    dog = "<memory>\n## User Profile\n- The user's dog name: Rex (since 2026-10-01)\n</memory>"

    assert reply("What is my name?", system=dog) == NOTHING_FOUND
    assert reply("What is my dog called?", system=dog) == "Your dog's name is Rex."
    assert reply("Who is Rex?", system=dog) == "Your dog's name is Rex."


def test_a_question_without_its_mark_is_no_answer_either() -> None:
    earlier = ("what do i do for a living", "Hm.", "My job is dull. I lived in Kiel once.", "Hm.")

    assert reply("Where do I live?", *earlier) == "You live in Rotterdam."
    assert reply("What do I do for a living?", *earlier) == "Earlier: “My job is dull.”"


def test_what_was_said_is_no_better_than_the_fact_that_was_made_of_it() -> None:
    system = MEMORY.replace("- identity: home", "- The user's job: a baker\n- identity: home")
    earlier = ("I live in Lisbon with my husband.", "Noted.")

    assert reply("Where do I live?", *earlier, system=system) == "You live in Rotterdam."
    assert reply("Where am I from?", *earlier, system=system) == NOTHING_FOUND


def test_what_has_ended_is_not_told_as_if_it_held() -> None:
    earlier = ("I drive a Skoda.", "Noted.", "I sold the Skoda.", "Noted.")
    assert reply("What car do I drive?", *earlier) == "Earlier: “I sold the Skoda.”"
    quoted = """<memory>
## Said before

Friday, 2026-11-20:
- User: I play the oboe in a band.
- Ann: I sold my oboe.
</memory>"""
    assert "in a band" in reply("Which instrument do I play?", system=quoted)
    assert "gave up" in reply(
        "Which instrument do I play?", "I gave up the oboe.", "Noted.", system=quoted
    )
