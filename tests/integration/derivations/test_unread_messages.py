"""What a model gives no usable answer about is read again: by another model, or when asked for."""

from __future__ import annotations

import pytest

from shared.db import execute
from shared.derivations.kinds import do_job
from shared.derivations.rerun import rerun_job
from shared.errors import NothingToDoError
from shared.maintenance.sweep import catch_up
from shared.store.facts import extractions
from shared.store.upkeep.deleted_messages import empty_messages
from shared.store.upkeep.invariants import ALWAYS, list_breaches
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, answer, extract, rows, spans
from tests.services import as_owner

REFUSAL = Scripted(text="I can't help with that.")


@pytest.fixture
def unread(wired: Conversing, openai_server: FakeOpenAI) -> Conversing:
    """The first of three messages was passed over, the others were read."""
    openai_server.script(REFUSAL, REFUSAL)
    wired.round("I live in Porto.")
    extract(wired)
    openai_server.script(answer(("name", "Ada", 2)))
    wired.round("I am Ada.")
    extract(wired)
    openai_server.script(answer())
    wired.round("It rains.")
    extract(wired)
    assert count(wired) == 1
    return wired


def count(conversing: Conversing) -> int:
    assert conversing.conversation_id is not None
    with as_owner(conversing.services) as connection:
        return extractions.count_unread(connection, conversing.conversation_id)


def run_again(conversing: Conversing) -> None:
    assert conversing.conversation_id is not None
    services = conversing.services
    with services.database.transaction(user=conversing.user_id) as connection:
        due = rerun_job(
            connection, conversing.user_id, conversing.conversation_id, "facts", services.settings
        )
    do_job(services, "facts", due.job_id)


def run_sql(conversing: Conversing, statement: str) -> None:
    with as_owner(conversing.services) as connection:
        execute(connection, statement)


def fall_quiet(conversing: Conversing) -> None:
    run_sql(conversing, "UPDATE conversations SET updated_at = now() - interval '1 day'")


def test_it_is_read_again_when_asked_for(unread: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.script(answer(("home_city", "Porto", 0)))
    run_again(unread)
    assert active(unread) == {"name": "Ada", "home_city": "Porto"}
    assert count(unread) == 0
    with pytest.raises(NothingToDoError):
        run_again(unread)


def test_only_what_nobody_read_is_asked_again(
    unread: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(answer())
    run_again(unread)
    prompt = openai_server.requests[-1].body["messages"][-1]["content"]
    assert "Porto" in prompt
    assert "I am Ada" not in prompt
    assert spans(unread)[-1] == ("completed", 0, 4)


def test_it_waits_on_when_the_answer_is_bad_again(
    unread: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(REFUSAL, REFUSAL)
    run_again(unread)
    assert count(unread) == 1
    unread.round("I have a dog.")
    assert spans(unread)[-1] == ("processing", 5, 6)


def test_what_was_said_later_holds_against_it(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.script(REFUSAL, REFUSAL)
    wired.round("I live in Porto.")
    extract(wired)
    openai_server.script(answer(("home_city", "Oslo", 2)))
    wired.round("I live in Oslo.")
    extract(wired)
    openai_server.script(answer(("home_city", "Porto", 0)))
    run_again(wired)
    assert active(wired) == {"home_city": "Oslo"}


def test_the_same_model_is_not_asked_again_by_itself(unread: Conversing) -> None:
    fall_quiet(unread)
    before = spans(unread)
    catch_up(unread.services)
    assert spans(unread) == before


def test_another_model_reads_it_by_itself(unread: Conversing, openai_server: FakeOpenAI) -> None:
    run_sql(unread, "UPDATE messages SET unread_by = 'former-model' WHERE unread_by IS NOT NULL")
    fall_quiet(unread)
    catch_up(unread.services)
    assert spans(unread)[-1] == ("processing", 0, 4)
    openai_server.script(answer(("home_city", "Porto", 0)))
    do_job(unread.services, "facts", rows(unread)[-1]["id"])
    assert active(unread)["home_city"] == "Porto"
    assert count(unread) == 0


def test_reading_again_leaves_no_hole(unread: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.script(answer())
    run_again(unread)
    openai_server.script(answer())
    unread.round("I have a dog.")
    extract(unread)
    with as_owner(unread.services) as connection:
        breaches = list_breaches(connection, ALWAYS, stuck_after_s=600)
    assert breaches == []


def test_what_is_deleted_waits_no_more(unread: Conversing) -> None:
    assert unread.conversation_id is not None
    with as_owner(unread.services) as connection:
        empty_messages(connection, unread.conversation_id, [0])
    assert count(unread) == 0
