"""Recall of messages from earlier conversations, from the database to the quotes of a prompt."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from shared.db import execute, fetch_rows
from shared.derivations.embedding import reembed
from shared.derivations.kinds import do_job
from shared.embeddings.bulk_encoder import encode_queries
from shared.embeddings.model_properties import model_name
from shared.models import (
    Candidate,
    MessageKey,
    Mode,
    OpenRound,
    Outcome,
    Quote,
    UserId,
)
from shared.policy.budget import Room
from shared.recall.encoder import Encoder
from shared.recall.messages import search_messages
from shared.recall.prompt import recall
from shared.recall.query import read_query
from shared.recall.quotes import list_quotes
from shared.rounds.opening import open_round
from shared.rounds.requests import Retry
from shared.services import Services
from shared.store import users
from shared.store.facts import version_changes as fact_changes
from shared.store.search.time_spans import list_nearest_between
from shared.timing import Steps
from shared.user_data.imports.importer import import_file
from tests.asking import make_query
from tests.embedding import BulkEncoder, embed_pending
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.services import as_owner

BOB = UserId("bob")
NAME = Candidate(
    category="identity",
    key="name",
    value="Grace Hopper",
    confidence=1,
    importance=1,
    retracts=False,
    said_at=datetime(2024, 3, 5, tzinfo=UTC),
    turn=1,
    source_conversation_id=None,
    source_sequence=None,
)


def say(product: Services, text: str, mode: Mode = "active", user_id: UserId | None = None) -> None:
    conversing = Conversing(product, user_id=user_id) if user_id else Conversing(product)
    conversing.close(conversing.open(text, mode=mode), Outcome(status="complete", content="Fine."))


def ask(product: Services, text: str, encoder: Encoder | None = None) -> list[Quote]:
    current_round = Conversing(product).open(text)
    return list(recall(product, encoder or NoEncoder(), current_round, Steps(), Room()).quotes)


def unembedded(product: Services) -> int:
    with as_owner(product) as connection:
        return len(fetch_rows(connection, "SELECT FROM unembedded_messages"))


def test_a_word_that_was_said_once_is_found_before_anything_is_embedded(product: Services) -> None:
    say(product, "My bicycle is called Rosinante-77.")
    say(product, "It rains.")
    [quote] = ask(product, "What is Rosinante-77?")
    assert quote.text == "My bicycle is called Rosinante-77."


def test_a_message_is_found_by_its_meaning_once_it_is_embedded(product: Services) -> None:
    say(product, "My dog Rex barks at night.")
    say(product, "Interest rates went up.")
    assert embed_pending(product) == 4
    assert unembedded(product) == 0
    quotes = ask(product, "How is my puppy?", BulkEncoder(product))
    assert quotes[0].text == "My dog Rex barks at night."


def test_what_is_off_the_record_has_no_vector_and_is_never_quoted(product: Services) -> None:
    say(product, "My zeppelin is secret.", mode="off")
    assert embed_pending(product) == 0
    assert ask(product, "What about the zeppelin?", BulkEncoder(product)) == []


def test_nobody_is_given_what_somebody_else_has_said(product: Services) -> None:
    say(product, "My zeppelin is silver.", user_id=BOB)
    embed_pending(product)
    assert ask(product, "What about the zeppelin?", BulkEncoder(product)) == []


def test_what_this_conversation_gives_anyway_is_not_quoted(product: Services) -> None:
    conversing = Conversing(product)
    conversing.round("My zeppelin is silver.")
    again = conversing.open("What about the zeppelin?")
    assert recall(product, NoEncoder(), again, Steps(), Room()).quotes == []


def test_what_a_summary_covers_and_the_turns_do_not_give_is_quoted(product: Services) -> None:
    conversing = Conversing(product)
    conversing.round("My zeppelin is silver.")
    for _ in range(4):
        conversing.round("Something else altogether, and many words of it.")
    do_job(product, "summary", conversing.due_of("summary")[-1])
    again = conversing.open("What about the zeppelin?")
    recalled = recall(product, NoEncoder(), again, Steps(), Room(recent=1))
    assert [turn.seq for turn in recalled.verbatim.turns] == [6, 7, 8, 9]
    assert [quote.text for quote in recalled.quotes] == ["My zeppelin is silver."]


def test_a_reply_that_is_written_again_knows_what_was_said_elsewhere_since(
    product: Services,
) -> None:
    talk = Conversing(product)
    first = talk.round("What about the zeppelin?")
    say(product, "My zeppelin is silver.")
    assert talk.conversation_id is not None
    retry = Retry(user_id=USER, conversation_id=talk.conversation_id, sequence=first.sequence)
    with as_owner(product) as connection:
        again = open_round(connection, retry, product.settings)
    [quote] = recall(product, NoEncoder(), again, Steps(), Room()).quotes
    assert quote.text == "My zeppelin is silver."


def test_with_nothing_relevant_nothing_is_quoted(product: Services) -> None:
    say(product, "My zeppelin is silver.")
    embed_pending(product)
    assert ask(product, "Compute seventeen times three.", BulkEncoder(product)) == []


def test_a_reply_that_is_written_anew_is_embedded_anew(product: Services) -> None:
    conversing = Conversing(product)
    first_round: OpenRound = conversing.round("Hello")
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE messages SET content = 'Changed' WHERE role = 'assistant'")
    assert unembedded(product) == 1
    assert embed_pending(product) == 1
    assert first_round.sequence == 1


def test_the_tokens_are_stored_for_what_is_found_and_decide_between_equals(
    product: Services,
) -> None:
    say(product, "My dog Rex barks at night.")
    embed_pending(product)
    before = ask(product, "Does Rex bark?", BulkEncoder(product))[0].score
    with as_owner(product) as connection:
        [row] = fetch_rows(
            connection,
            "SELECT length(token_signs) AS bytes FROM message_embeddings WHERE sequence_number = 0"
            " AND token_signs IS NOT NULL LIMIT 1",
        )
        assert row["bytes"] == len(["my", "dog", "rex", "bark", "##s", "at", "night", "."]) * 48
        execute(connection, "UPDATE message_embeddings SET token_signs = NULL")
    assert ask(product, "Does Rex bark?", BulkEncoder(product))[0].score != before


def test_a_time_is_looked_for_where_one_is_asked_for(product: Services) -> None:
    say(product, "The boiler was mended.")
    say(product, "The boiler was mended yesterday.")
    say(product, "The boiler was mended in 2019.")
    texts = [quote.text for quote in ask(product, "When was the boiler mended?")]
    assert texts[-1] == "The boiler was mended."
    assert len(texts) == 3


def test_vectors_of_another_model_are_not_searched_and_are_replaced(product: Services) -> None:
    say(product, "My dog Rex barks at night.")
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE message_embeddings SET embedding_model = 'another'")
    assert ask(product, "How is the puppy?", BulkEncoder(product)) == []
    assert reembed(product) == 3  # the question was waiting
    assert reembed(product) == 0
    with as_owner(product) as connection:
        [row] = fetch_rows(connection, "SELECT DISTINCT embedding_model FROM message_embeddings")
    assert row["embedding_model"] == model_name(product.settings)


def test_what_is_deleted_is_found_no_more(product: Services) -> None:
    say(product, "My zeppelin is silver.")
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "DELETE FROM conversations")
        assert fetch_rows(connection, "SELECT FROM message_embeddings") == []
    assert ask(product, "What about the zeppelin?", BulkEncoder(product)) == []


def test_names_of_imported_speakers_reach_the_prompt_and_lead_to_what_they_said(
    product: Services,
) -> None:
    turns = [("user", "Ada", "I saw a heron."), ("assistant", "Bob", "I saw a stork.")]
    messages = [{"role": role, "name": name, "content": text} for role, name, text in turns]
    file = io.BytesIO(json.dumps([{"title": "Birds", "messages": messages}]).encode())
    assert import_file(product, USER, file).status == "done"
    embed_pending(product)
    [first, second] = ask(product, "What did Bob say that he saw?", BulkEncoder(product))
    assert (first.name, first.text) == ("Bob", "I saw a stork.")
    assert second.name == "Ada"


def test_quotes_of_one_score_keep_their_order(product: Services) -> None:
    """However Postgres joins: a short message has the score of the one before it."""
    first_round = Conversing(product).round("I saw a heron.")
    conversation_id = first_round.conversation.conversation_id
    for order in ([0, 1], [1, 0]):
        scores = {MessageKey(conversation_id, sequence): 1.0 for sequence in order}
        with product.database.transaction(user=USER) as connection:
            execute(connection, "SET LOCAL enable_nestloop = off")
            quotes = list_quotes(connection, USER, scores, {"saw": 1.0})
        assert [quote.sequence_number for quote in quotes] == order


@pytest.mark.parametrize(
    ("word", "cooked"), [("before", "Mira cooked."), ("since", "Jonas cooked.")]
)
def test_what_was_said_on_the_asked_side_of_a_memory_comes_first(
    product: Services, word: str, cooked: str
) -> None:
    words_by_day = {4: "Mira cooked.", 8: "I moved to Ghent today.", 12: "Jonas cooked."}
    messages = [
        {"role": role, "content": text, "created_at": f"2026-05-{day:02}T12:00:00Z"}
        for day, words in words_by_day.items()
        for role, text in (("user", words), ("assistant", "Fine."))
    ]
    file = io.BytesIO(json.dumps([{"title": "Home", "messages": messages}]).encode())
    assert import_file(product, USER, file).status == "done"
    with as_owner(product) as connection:
        query = make_query(f"Who cooked {word} I moved to Ghent?", USER)
        result = search_messages(connection, read_query(connection, query))
        numbers = [hit.passage.sequence_number for hit in result.ranked]
        rows = fetch_rows(connection, "SELECT sequence_number, content FROM messages")
    texts = {row["sequence_number"]: row["content"] for row in rows}
    answers = [text for number in numbers if "cooked" in (text := texts[number])]
    assert answers[0] == cooked


def test_of_a_month_the_nearest_messages_are_found_whatever_their_words(product: Services) -> None:
    texts = {"2026-04-30": "Lamb stew, again.", "2026-05-01": "Lamb stew.", "2026-05-31": "Tax."}
    messages = [
        {"role": role, "content": text, "created_at": f"{day}T23:30:00Z"}
        for day, words in texts.items()
        for role, text in (("user", words), ("assistant", "Fine."))
    ]
    file = io.BytesIO(json.dumps([{"title": "Home", "messages": messages}]).encode())
    assert import_file(product, USER, file).status == "done"
    embed_pending(product)
    month = (datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 31, 23, 59, tzinfo=UTC))
    with as_owner(product) as connection:
        [encoded] = encode_queries(["What did I cook with lamb?"], product.settings)
        query = replace(
            make_query("lamb", USER).with_vectors(encoded), model=model_name(product.settings)
        )
        nearest = [
            list_nearest_between(connection, query, [month, month], read=read, limit=limit)
            for read, limit in ((99, 9), (99, 1), (1, 9))
        ]
        rows = fetch_rows(connection, "SELECT sequence_number, content FROM messages")
    contents = {row["sequence_number"]: row["content"] for row in rows}
    assert [contents[key.sequence_number] for key in nearest[1]] == ["Lamb stew."]
    assert sorted(contents[key.sequence_number] for key in nearest[0]) == [
        "Fine.", "Fine.", "Lamb stew.", "Tax.",
    ]  # fmt: skip
    assert len(nearest[2]) == 1


def test_the_name_that_is_a_fact_is_the_users(product: Services) -> None:
    say(product, "Call me Grace.")
    with as_owner(product) as connection:
        users.lock_user(connection, USER)
        fact_changes.add_fact(connection, USER, NAME)
        question = read_query(connection, make_query("Where does Grace live?", USER)).question
    assert (question.for_meaning, question.role) == ("Where does I live?", "user")


@pytest.mark.parametrize("query", ["'", "a' | 'b", "\\", "u:1234 & !x", "::", "   ", "zeppelin's"])
def test_whatever_is_asked_is_taken_as_words(product: Services, query: str) -> None:
    say(product, "My zeppelin's silver.")
    assert [quote.text for quote in ask(product, query)] == (
        ["My zeppelin's silver."] if "zeppelin" in query else []
    )
