"""Recall of what stands in files, from the cutting of a file to the passages of a prompt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.db import execute, fetch_rows
from shared.derivations.embedding import count_other_vectors, reembed
from shared.derivations.file_passages import FILES
from shared.embeddings.model_properties import model_name
from shared.models import OpenRound, SearchFilter, UserId
from shared.policy.budget import Room
from shared.policy.recalled import Recalled
from shared.recall.encoder import Encoder
from shared.recall.messages import OF_FILES
from shared.recall.prompt import recall
from shared.services import Services
from shared.store.search import file_passages
from shared.timing import Steps
from tests.asking import make_query
from tests.embedding import BulkEncoder, embed_pending
from tests.fakes.files import make_pdf
from tests.integration.attachments.attaching import attach, list_passages
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.services import as_owner

BOB = UserId("bob")
QUESTION = "Who replaced the copper valve?"
REPORT = """The boiler in the cellar was repaired by Meridian Heating in March.

They replaced the copper valve. The bill was 412 euros.

The key of the cellar hangs behind the red door in the hall.
"""


def ask(product: Services, text: str, encoder: Encoder | None = None) -> Recalled:
    open_round = Conversing(product).open(text)
    return remember(product, open_round, encoder)


def remember(product: Services, open_round: OpenRound, encoder: Encoder | None = None) -> Recalled:
    return recall(product, encoder or NoEncoder(), open_round, Steps(), Room())


def manual(count: int) -> str:
    """So many passages, each nearer to `QUESTION` than the report is."""
    text = f"{QUESTION} The copper valve is replaced like this. "
    return "\n\n".join(f"Chapter {number}. {text * 6}" for number in range(count))


def test_a_file_is_recalled_in_a_later_chat_by_its_words(product: Services) -> None:
    file_round = attach(product, REPORT, name="boiler.txt")
    embed_pending(product)
    [passage] = ask(product, "Who replaced the copper valve?").passages
    assert passage.name == "boiler.txt"
    assert passage.conversation_id == file_round.conversation.conversation_id
    assert passage.sequence_number == 0
    assert "Meridian Heating" in passage.text


def test_a_passage_of_a_pdf_names_its_page(product: Services) -> None:
    attach(product, make_pdf("A cover.", "", REPORT.split("\n\n")[1].strip()), name="boiler.pdf")
    embed_pending(product)
    [passage] = ask(product, QUESTION).passages
    assert (passage.text, str(passage.place)) == (
        "They replaced the copper valve. The bill was 412 euros.",
        "page 3",
    )


def test_a_passage_from_before_there_were_places_has_none(product: Services) -> None:
    attach(product, make_pdf("A cover.", "They replaced the copper valve."), name="boiler.pdf")
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE file_passages SET place = NULL")
    [passage] = ask(product, QUESTION).passages
    assert passage.place is None


def test_a_file_of_a_message_that_is_not_to_be_remembered_is_told_nowhere(
    product: Services,
) -> None:
    attach(product, REPORT, message_text="Off the record: what does this say?")
    embed_pending(product)
    assert ask(product, QUESTION, BulkEncoder(product)).passages == []
    with product.database.transaction(user=USER) as connection:
        for search in (file_passages.search_by_words, file_passages.search_by_parts):
            assert search(connection, make_query("copper valve", USER), SearchFilter(), 9) == []


def test_a_file_is_recalled_by_its_meaning(product: Services) -> None:
    attach(product, REPORT)
    Conversing(product).round("My favourite colour is green.")
    embed_pending(product)
    assert ask(product, "How much did the plumber cost?", BulkEncoder(product)).passages
    assert not ask(product, "Zxqv?", NoEncoder()).passages


def test_messages_and_passages_are_ranked_together(product: Services) -> None:
    attach(product, REPORT)
    Conversing(product).round("The copper valve makes a noise when it rains.")
    embed_pending(product)
    recalled = ask(product, "What about the copper valve?")
    assert recalled.passages
    assert recalled.quotes[0].text.startswith("The copper valve makes")
    assert recalled.passages[0].score > 0


def test_a_file_that_the_prompt_shows_is_not_recalled_beside_it(product: Services) -> None:
    file_round = attach(product, REPORT)
    embed_pending(product)
    talk = Conversing(product, conversation_id=file_round.conversation.conversation_id)
    assert not remember(product, talk.open("And the copper valve?")).passages
    assert ask(product, "And the copper valve?").passages


def test_a_file_that_the_prompt_shows_no_more_is_recalled(product: Services) -> None:
    file_round = attach(product, REPORT)
    talk = Conversing(product, conversation_id=file_round.conversation.conversation_id)
    for _ in range(10):
        talk.round("Something else.")
    embed_pending(product)
    assert remember(product, talk.open("And the copper valve?")).passages


@pytest.mark.parametrize("find_encoder", [lambda _: NoEncoder(), BulkEncoder])
def test_a_long_file_that_the_prompt_shows_leaves_room_for_others(
    product: Services, find_encoder: Callable[[Services], Encoder]
) -> None:
    attach(product, REPORT, name="boiler.txt")
    file_round = attach(product, manual(OF_FILES + 10), name="manual.txt")
    embed_pending(product)
    assert len(list_passages(product, file_round.conversation.conversation_id)) > OF_FILES
    open_round = Conversing(product, conversation_id=file_round.conversation.conversation_id).open(
        QUESTION
    )
    recalled = remember(product, open_round, find_encoder(product))
    assert {passage.name for passage in recalled.passages} == {"boiler.txt"}


@pytest.mark.parametrize("find_encoder", [lambda _: NoEncoder(), BulkEncoder])
def test_a_long_file_off_the_record_leaves_room_for_others(
    product: Services, find_encoder: Callable[[Services], Encoder]
) -> None:
    attach(product, manual(OF_FILES + 10), name="manual.txt", mode="off")
    attach(product, REPORT, name="boiler.txt")
    embed_pending(product)
    recalled = ask(product, QUESTION, find_encoder(product))
    assert {passage.name for passage in recalled.passages} == {"boiler.txt"}


def test_another_users_file_is_never_recalled(product: Services) -> None:
    attach(product, REPORT, user_id=BOB)
    embed_pending(product)
    recalled = ask(product, "Who replaced the copper valve?", BulkEncoder(product))
    assert not recalled.passages


def test_a_file_off_the_record_gets_no_vector_and_is_not_recalled(product: Services) -> None:
    attach(product, REPORT, mode="off")
    embed_pending(product)
    assert [row["embedding"] for row in list_passages(product)] == [None]
    assert not ask(product, "Who replaced the copper valve?", BulkEncoder(product)).passages


def test_a_passive_chat_is_given_no_passages_and_others_are_given_its(product: Services) -> None:
    attach(product, REPORT, mode="passive")
    embed_pending(product)
    open_round = Conversing(product).open("Who replaced the copper valve?", mode="passive")
    assert not remember(product, open_round).passages
    assert ask(product, "Who replaced the copper valve?").passages


def test_the_same_text_in_two_files_is_given_once(product: Services) -> None:
    attach(product, REPORT)
    attach(product, REPORT, name="copy.txt")
    embed_pending(product)
    assert len(ask(product, "Who replaced the copper valve?").passages) == 1


def test_a_question_about_a_word_of_a_file_is_not_corrected(product: Services) -> None:
    Conversing(product).round("I like the meridans of the old atlas.")
    attach(product, REPORT)
    embed_pending(product)
    recalled = ask(product, "Who is Meridian Heating?")
    assert recalled.corrected == {}
    assert recalled.passages


def test_a_new_model_embeds_passages_anew(product: Services) -> None:
    attach(product, REPORT)
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE file_passages SET embedding_model = 'another'")
        execute(connection, "UPDATE message_embeddings SET embedding_model = 'another'")
    assert count_other_vectors(product) == 3
    assert reembed(product) == 3
    assert count_other_vectors(product) == 0
    [row] = list_passages(product)
    assert row["embedding_model"] == model_name(product.settings)


@pytest.mark.changes_schema
def test_a_failure_leaves_the_file_on_the_list_and_the_next_try_cuts_it(
    product: Services, caplog: pytest.LogCaptureFixture
) -> None:
    attach(product, REPORT)
    with as_owner(product) as connection:
        execute(connection, "ALTER TABLE file_passages ADD CONSTRAINT broken CHECK (false)")
    embed_pending(product)
    failed = [record for record in caplog.records if record.message == "file.not_cut"]
    with as_owner(product) as connection:
        [row] = fetch_rows(connection, "SELECT attachment_id FROM uncut_files")
        assert {vars(record)["attachment_id"] for record in failed} == {str(row["attachment_id"])}
        execute(connection, "ALTER TABLE file_passages DROP CONSTRAINT broken")
    embed_pending(product)
    assert [row["number"] for row in list_passages(product)] == [0]


@pytest.mark.changes_schema
def test_files_that_cannot_be_cut_keep_no_others_waiting(product: Services) -> None:
    for number in range(FILES):
        attach(product, f"A poisoned report, {number}.")
    attach(product, REPORT)
    with as_owner(product) as connection:
        execute(
            connection,
            "ALTER TABLE file_passages ADD CONSTRAINT broken CHECK (strpos(text, 'poison') = 0)",
        )
    embed_pending(product)  # the task
    embed_pending(product)  # the sweep's
    assert [row["number"] for row in list_passages(product)] == [0]
    with as_owner(product) as connection:
        assert len(fetch_rows(connection, "SELECT FROM uncut_files")) == FILES


@pytest.mark.changes_schema
def test_recall_goes_on_where_passages_cannot_be_read(product: Services) -> None:
    attach(product, REPORT)
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "REVOKE SELECT ON file_passages FROM PUBLIC")
        execute(connection, "ALTER TABLE file_passages RENAME COLUMN text TO gone")
    recalled = ask(product, "Who replaced the copper valve?")
    assert recalled.failed == ("messages",)
