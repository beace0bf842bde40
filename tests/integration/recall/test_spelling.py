"""Misspelt words of a question, from the database to what a prompt is given."""

from __future__ import annotations

from shared.db import execute
from shared.policy.budget import Room
from shared.recall.prompt import recall
from shared.recall.query import read_query
from shared.recall.spelling import correct_spelling
from shared.services import Services
from shared.timing import Steps
from tests.asking import make_query
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.integration.recall.test_messages import ask, say
from tests.services import as_owner


def test_a_misspelt_word_of_a_question_finds_what_was_meant(product: Services) -> None:
    say(product, "My bicycle is called Rosinante.")
    say(product, "It rains.")
    [quote] = ask(product, "What is Rosniante?")
    assert quote.text == "My bicycle is called Rosinante."


def test_a_word_that_was_said_is_taken_as_it_is_written(product: Services) -> None:
    say(product, "My bicycle is called Rosinante.")
    say(product, "The horse is Rosniante.")
    [quote] = ask(product, "What is Rosniante?")
    assert quote.text == "The horse is Rosniante."


def test_a_misspelt_word_finds_the_episode_too(product: Services) -> None:
    talk = Conversing(product)
    talk.round()
    with as_owner(product) as connection:
        execute(
            connection,
            """
            INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary,
                                         status, lease_until)
            VALUES ('ada', %(id)s, 0, 1, 'A week in Lisbon was planned.', 'completed', now())
            """,
            id=talk.conversation_id,
        )
    say(product, "To Lisbon!")
    current_round = Conversing(product).open("When were we in Lisbno?")
    [episode] = recall(product, NoEncoder(), current_round, Steps(), Room()).episodes
    assert episode.summary == "A week in Lisbon was planned."


def test_words_of_what_is_off_the_record_are_not_suggested(product: Services) -> None:
    say(product, "My zeppelin is secret.", mode="off")
    say(product, "I like zippers.")
    with as_owner(product) as connection:
        as_typed = read_query(connection, make_query("Which zeppeli?", USER))
        reading = correct_spelling(connection, as_typed, NoEncoder().knows)
    assert reading.corrections == {}
