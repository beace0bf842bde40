"""Consolidation: spans closed, persisted, then flushed; found again by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from migrations.checks import check_stored_model
from shared.db import execute, fetch_rows
from shared.derivations.embedding import reembed
from shared.derivations.kinds import do_job
from shared.embeddings.model_properties import model_name
from shared.maintenance.sweep import sweep
from shared.models import Episode, UserId
from shared.policy.budget import Room
from shared.recall.newest_turns import turn_of
from shared.recall.prompt import recall
from shared.services import Services
from shared.settings import SettingsError
from shared.store import episodes, messages
from shared.timing import Steps
from tests.embedding import BulkEncoder, embed_pending
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing, NoEncoder
from tests.services import MakeSettings, as_owner

ADA = UserId("ada")
GOOD = Scripted(text='{"summary": "They planned a trip.", "key_concepts": ["trip", "Oslo"]}')


@pytest.fixture
def make_product(make_settings: MakeSettings) -> Iterator[Callable[..., Services]]:
    products: list[Services] = []

    def make(**overrides: object) -> Services:
        products.append(Services(make_settings(**overrides)))
        return products[-1]

    yield make
    for product in products:
        product.close()


def talk(product: Services, rounds: int, about: str = "the weather") -> Conversing:
    conversing = Conversing(product)
    for number in range(rounds):
        current_round = conversing.round(f"Message {2 * number} about {about}.")
        keep_turns(product, conversing, current_round.sequence)
        work_off(product, conversing)
    return conversing


def keep_turns(product: Services, conversing: Conversing, sequence: int) -> None:
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        pair = [
            messages.get_message(connection, conversing.conversation_id, place)
            for place in (sequence - 1, sequence)
        ]
    product.short_term.append_turns(conversing.conversation_id, [turn_of(m) for m in pair])


def work_off(product: Services, conversing: Conversing) -> None:
    for job_id in conversing.due_of("episode"):
        do_job(product, "episode", job_id)


def check_model_of_vectors(product: Services) -> None:
    with as_owner(product) as connection:
        check_stored_model(connection, product.settings)


def list_kept(product: Services) -> list[Episode]:
    with as_owner(product) as connection:
        newest_first = episodes.list_episodes(
            connection, ADA, conversation_id=None, limit=100, before_id=None
        )
    return newest_first[::-1]


def test_a_hundred_messages_leave_the_spans_that_the_rule_says(
    make_product: Callable[..., Services],
) -> None:
    product = make_product()
    talk(product, 50)
    spans = [(episode.span.start, episode.span.end) for episode in list_kept(product)]
    assert spans == [(start, start + 9) for start in range(0, 90, 10)]


def test_by_the_n_plus_1_rule_the_oldest_five_are_closed_and_flushed(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    conversing = talk(product, 6)
    assert [(e.span.start, e.span.end) for e in list_kept(product)] == [(0, 4), (5, 9)]
    assert conversing.conversation_id is not None
    turns = product.short_term.list_turns(conversing.conversation_id)
    assert [turn.seq for turn in turns] == [10, 11]


def test_an_episode_keeps_its_range_its_time_and_its_source(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    conversing = talk(product, 3, about="Berlin")
    with as_owner(product) as connection:
        [row] = fetch_rows(connection, "SELECT * FROM episodic_memory")
        [view] = fetch_rows(connection, "SELECT * FROM long_term_memories")
    assert row["turn_range"] == "0-4"
    assert row["started_at"] < row["ended_at"] <= row["finished_at"]
    assert row["prompt_version"]
    assert str(view["conversation_id"]) == conversing.conversation_id
    assert "Berlin" in view["summary"]


def test_while_the_model_is_down_short_term_memory_is_kept(
    make_product: Callable[..., Services], openai_server: FakeOpenAI
) -> None:
    product = make_product(
        memory_window_limit=5,
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
        llm_tries=1,
    )
    openai_server.script(Scripted(status=500), GOOD)
    conversing = talk(product, 3)
    assert conversing.conversation_id is not None
    assert len(product.short_term.list_turns(conversing.conversation_id)) == 6
    assert list_kept(product) == []
    with as_owner(product) as connection:
        execute(connection, "UPDATE episodic_memory SET lease_until = now() - interval '1 s'")
    sweep(product)
    work_off(product, conversing)
    assert [episode.summary for episode in list_kept(product)] == ["They planned a trip."]
    assert len(product.short_term.list_turns(conversing.conversation_id)) == 1


def test_an_answer_that_is_twice_no_json_still_closes_the_span_with_an_extract(
    make_product: Callable[..., Services], openai_server: FakeOpenAI
) -> None:
    product = make_product(
        memory_window_limit=5,
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
    )
    openai_server.script(Scripted(text="A trip, I think."), Scripted(text="A trip."))
    talk(product, 3)
    [episode] = list_kept(product)
    assert episode.is_fallback
    assert "Message 4 about the weather." in episode.summary
    assert "weather" in episode.key_concepts


def test_pending_episodes_are_embedded_and_found_by_meaning(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    talk(product, 3, about="my dog Rex who barks at night")
    talk(product, 3, about="interest rates and mortgages")
    assert embed_pending(product) == 14  # two episodes and twelve messages
    assert embed_pending(product) == 0
    open_round = Conversing(product).open("How is the puppy doing?")
    hits = recall(product, BulkEncoder(product), open_round, Steps(), Room()).episodes
    assert "Rex" in hits[0].summary
    assert hits[0].embedding_model == model_name(product.settings)


def test_without_a_vector_episodes_are_found_by_their_words(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    talk(product, 3, about="a zeppelin over Friedrichshafen")
    open_round = Conversing(product).open("What was that about Friedrichshafen?")
    [hit] = recall(product, NoEncoder(), open_round, Steps(), Room()).episodes
    assert "Friedrichshafen" in hit.summary


def test_what_the_prompt_holds_already_is_not_repeated_as_an_episode(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    conversing = talk(product, 3, about="a zeppelin")
    same = conversing.open("And the zeppelin?")
    assert recall(product, NoEncoder(), same, Steps(), Room()).episodes == []
    other = Conversing(product).open("And the zeppelin?")
    assert len(recall(product, NoEncoder(), other, Steps(), Room()).episodes) == 1


def test_nobody_recalls_anothers_episodes(make_product: Callable[..., Services]) -> None:
    product = make_product(memory_window_limit=5)
    talk(product, 3, about="a zeppelin")
    stranger = Conversing(product, user_id=UserId("bob")).open("What about the zeppelin?")
    assert recall(product, NoEncoder(), stranger, Steps(), Room()).episodes == []


def test_in_passive_mode_nothing_is_recalled(make_product: Callable[..., Services]) -> None:
    product = make_product(memory_window_limit=5)
    talk(product, 3, about="a zeppelin")
    open_round = Conversing(product).open("What about the zeppelin?", mode="passive")
    recalled = recall(product, NoEncoder(), open_round, Steps(), Room())
    assert (recalled.episodes, recalled.facts, recalled.points) == ((), (), ())


def test_vectors_of_another_model_are_replaced_while_the_system_runs(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    talk(product, 3, about="a zeppelin")
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE episodic_memory SET embedding_model = 'another'")
    open_round = Conversing(product).open("What about the zeppelin?")
    assert len(recall(product, BulkEncoder(product), open_round, Steps(), Room()).episodes) == 1
    assert reembed(product) == 1
    assert reembed(product) == 0
    assert list_kept(product)[0].embedding_model == model_name(product.settings)


def test_a_start_with_a_model_that_nothing_was_embedded_with_is_refused(
    make_product: Callable[..., Services],
) -> None:
    product = make_product(memory_window_limit=5)
    talk(product, 3)
    check_model_of_vectors(product)
    embed_pending(product)
    check_model_of_vectors(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE episodic_memory SET embedding_model = 'another'")
    with pytest.raises(SettingsError, match="EMBEDDING_MODEL: the database holds vectors of anoth"):
        check_model_of_vectors(product)
