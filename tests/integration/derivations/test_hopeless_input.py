"""Input that a model cannot take: read in parts, then told by an extract; never asked for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from shared.derivations.kinds import do_job
from shared.maintenance.sweep import catch_up, sweep
from shared.maintenance.verify import find_breaches
from shared.models import Outcome, UserId
from shared.services import Services
from shared.store import episodes, summaries
from tests.fakes.openai_server import LLAMA_CPP_TOO_LONG, OPENAI_TOO_LONG, FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import ANSWERS, answer_well, answer_with
from tests.integration.worker import expire_leases, let_time_pass, list_jobs, run_sql, work_off
from tests.services import MakeSettings, as_owner

PASTE = "02:13:11 b3 GET /orders/1037 503 <timeout> & retry\n" * 1647  # 84,000 characters
LASTING = [
    pytest.param(Scripted(text="I cannot help with that."), id="no JSON"),
    pytest.param(Scripted(text='{"points": "none", "summary": []}'), id="another form"),
    pytest.param(Scripted(status=400, error="The prompt was flagged."), id="not accepted"),
    pytest.param(Scripted(status=422), id="not processable"),
    pytest.param(Scripted(text=""), id="empty"),
    pytest.param(Scripted(status=400, error="prompt is too long: 9 > 8 maximum"), id="too long"),
]
NOT_THE_INPUTS = [
    pytest.param(Scripted(status=500), id="500"),
    pytest.param(Scripted(status=429, retry_after="7"), id="429"),
    pytest.param(Scripted(status=401), id="wrong key"),
    pytest.param(Scripted(status=404), id="no such model"),
]


@pytest.fixture
def make_product(
    make_settings: MakeSettings, openai_server: FakeOpenAI
) -> Iterator[Callable[..., Services]]:
    products: list[Services] = []

    def make(**overrides: object) -> Services:
        defaults: dict[str, object] = {
            "llm_model": "small-model",
            "llm_api_base": openai_server.base_url,
            "llm_api_key": "k",
            "llm_timeout_s": 5,
            "llm_tries": 1,
            "memory_window_limit": 6,
        }
        products.append(Services(make_settings(**(defaults | overrides))))
        return products[-1]

    yield make
    for product in products:
        product.close()


def talk(product: Services, *texts: str) -> Conversing:
    conversing = Conversing(product)
    for text in texts:
        conversing.close(conversing.open(text), Outcome(status="complete", content="I see."))
    return conversing


def fallbacks(product: Services, conversing: Conversing) -> list[bool]:
    """Of the summaries and episodes that are there."""
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        past_episodes = episodes.list_episodes(
            connection, UserId("ada"), conversation_id=None, limit=9, before_id=None
        )
        chain = summaries.list_summaries(connection, conversing.conversation_id)
    done = [row for row in chain if row.status == "completed"]
    assert done
    assert past_episodes
    return [row.is_fallback for row in done] + [episode.is_fallback for episode in past_episodes]


@pytest.mark.parametrize("context", [8192, 1500])
@pytest.mark.parametrize("words", [OPENAI_TOO_LONG, LLAMA_CPP_TOO_LONG])
def test_two_pastes_of_84000_characters_are_read_by_a_small_model(
    make_product: Callable[..., Services], openai_server: FakeOpenAI, words: str, context: int
) -> None:
    product = make_product()
    answer_well(openai_server)
    openai_server.context_tokens, openai_server.too_long = context, words
    conversing = talk(product, "I live in Oslo.", PASTE, f"And this?\n{PASTE}", "Thanks, Oslo.")
    work_off(product)
    assert not any(fallbacks(product, conversing))
    assert list_jobs(product, "failed") == []
    assert len(openai_server.requests) < 60
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_short_messages_beside_a_paste_are_read_whole(
    make_product: Callable[..., Services], openai_server: FakeOpenAI
) -> None:
    product = make_product(memory_ctx_tokens=3000)
    answer_well(openai_server)
    talk(product, "I live in Oslo.", PASTE, "My dog is called Rex.", "And a cat, Mia.")
    work_off(product)
    read = "".join(
        request.body["messages"][1]["content"]
        for request in openai_server.requests
        if "Task: episode" in request.body["messages"][0]["content"]
    )
    assert all(text in read for text in ("I live in Oslo.", "My dog is called Rex.", "[… cut …]"))


def test_a_model_that_takes_nothing_at_all_ends_in_an_extract(
    make_product: Callable[..., Services], openai_server: FakeOpenAI
) -> None:
    product = make_product()
    openai_server.context_tokens = 50
    conversing = talk(product, "I live in Oslo.", PASTE, "My dog is called Rex.", "Thanks.")
    work_off(product)
    assert all(fallbacks(product, conversing))
    assert find_breaches(product.database, product.settings, quiet=True) == []


@pytest.mark.parametrize("answer", LASTING)
def test_what_fails_again_and_again_on_one_input_ends_in_a_marked_extract(
    make_product: Callable[..., Services], openai_server: FakeOpenAI, answer: Scripted
) -> None:
    product = make_product()
    answer_with(openai_server, answer)
    conversing = talk(product, *["I live in Oslo."] * 3, "My dog is called Rex.")
    work_off(product)
    assert all(fallbacks(product, conversing))
    assert list_jobs(product, "processing") == []
    assert find_breaches(product.database, product.settings, quiet=True) == []


@pytest.mark.parametrize("answer", NOT_THE_INPUTS)
def test_a_server_that_is_away_or_badly_set_is_waited_for_without_an_extract(
    make_product: Callable[..., Services], openai_server: FakeOpenAI, answer: Scripted
) -> None:
    product = make_product()
    answer_with(openai_server, answer)
    conversing = talk(product, *["I live in Oslo."] * 4)
    for _ in range(12):
        let_time_pass(product)
        sweep(product)
        for due in list_jobs(product, "processing"):
            do_job(product, due.kind, due.job_id)
    assert list_jobs(product, "completed") == []
    answer_well(openai_server)
    work_off(product)
    assert not any(fallbacks(product, conversing))
    assert ANSWERS.keys() == {due.kind for due in list_jobs(product, "completed")}


def test_a_conversation_whose_job_fails_is_claimed_anew_more_and_more_rarely(
    make_product: Callable[..., Services], openai_server: FakeOpenAI
) -> None:
    product = make_product()
    answer_with(openai_server, Scripted(status=401))
    talk(product, *["I live in Oslo."] * 3)
    run_sql(product, "UPDATE conversations SET updated_at = now() - interval '10 min'")
    waited = []
    for failures in range(1, 7):
        for due in list_jobs(product, "processing"):
            do_job(product, due.kind, due.job_id)
        waited.append(minutes_until_claimed(product))
        assert failures == len([d for d in list_jobs(product, "failed") if d.kind == "summary"])
    assert waited == [1, 2, 4, 8, 10, 10]


def minutes_until_claimed(product: Services) -> int:
    """Minute by minute, until the rare sweep claims a summary again."""
    for minute in range(1, 100):
        run_sql(product, "UPDATE memory SET finished_at = finished_at - interval '1 min'")
        expire_leases(product)
        catch_up(product)
        if any(due.kind == "summary" for due in list_jobs(product, "processing")):
            return minute
    raise AssertionError("never claimed")
