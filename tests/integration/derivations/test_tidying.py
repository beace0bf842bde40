"""The tidying job: when it is due, who does it, what it joins, and how that is undone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest

from shared.derivations.kinds import do_job
from shared.derivations.rerun import rerun_job
from shared.errors import ConflictError, JobInProgressError, NotFoundError, NothingToDoError
from shared.facts.corrections import forget_fact
from shared.facts.retraction import unlearn
from shared.facts.suggestions import confirm_suggestion, dismiss_suggestion
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.models import Fact, Suggestion, UserId
from shared.models.job_kinds import TIDYING
from shared.services import Services
from shared.store import messages
from shared.store.facts import suggestions, tidied
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import active, held
from tests.integration.derivations.tidying import claim, learn, tidy_up, undo, versions_of
from tests.integration.worker import expire_leases, list_jobs, run_sql
from tests.services import as_owner

A_DAY_AGO = "UPDATE users SET created_at = now() - interval '25 h'"
TIDIED_A_DAY_AGO = "UPDATE tidyings SET created_at = now() - interval '25 h'"


def say(talk: Conversing, text: str = "Good morning.") -> None:
    talk.round(text)
    do_job(talk.services, "facts", talk.due_of("facts")[-1])


def tidyings(product: Services, status: str = "%") -> list[int]:
    return [job.job_id for job in list_jobs(product, status) if job.kind == "tidying"]


def suggested(talk: Conversing) -> list[Suggestion]:
    with as_owner(talk.services) as connection:
        return suggestions.list_suggestions(connection, talk.user_id)


def learn_twice(talk: Conversing) -> tuple[Fact, Fact]:
    """The same allergy under two keys, from the first two messages."""
    talk.round()
    talk.round()
    old = learn(talk, "allergy_kiwi", "kiwi", 0, category="constraint")
    return old, learn(talk, "kiwi_allergy", "kiwi", 2, category="constraint")


def test_it_is_due_once_a_day_after_facts(product: Services, conversing: Conversing) -> None:
    say(conversing)
    assert tidyings(product) == []  # the user is new
    run_sql(product, A_DAY_AGO)
    say(conversing)
    [job] = tidyings(product, "processing")
    do_job(product, "tidying", job)
    assert tidyings(product, "completed") == [job]
    say(conversing)
    assert tidyings(product) == [job]
    run_sql(product, TIDIED_A_DAY_AGO)
    say(conversing)
    assert len(tidyings(product, "processing")) == 1


def test_one_that_failed_is_not_claimed_anew_that_day(
    product: Services, conversing: Conversing
) -> None:
    run_sql(product, A_DAY_AGO)
    say(conversing)
    run_sql(product, A_DAY_AGO)
    say(conversing)
    run_sql(product, "UPDATE tidyings SET status = 'failed', finished_at = now()")
    say(conversing)
    assert len(tidyings(product)) == 1


def test_the_same_thing_under_two_keys_becomes_one_with_both_in_its_history(
    product: Services, conversing: Conversing
) -> None:
    old, new = learn_twice(conversing)
    tidy_up(conversing)
    assert active(conversing) == {"kiwi_allergy": "kiwi"}
    assert versions_of(conversing, new) == [
        ("kiwi_allergy", "kiwi", None),
        ("allergy_kiwi", "kiwi", "joined"),
    ]
    [fact] = held(conversing)
    assert (fact.fact_id, fact.source_sequence) == (new.fact_id, 2)
    assert versions_of(conversing, old) == versions_of(conversing, new)
    assert find_breaches(product.database, product.settings, quiet=False) == []


def test_what_was_joined_is_separate_again_and_stays_so(conversing: Conversing) -> None:
    old, new = learn_twice(conversing)
    tidy_up(conversing)
    assert undo(conversing, old).key == "allergy_kiwi"
    both = {"allergy_kiwi": "kiwi", "kiwi_allergy": "kiwi"}
    assert active(conversing) == both
    tidy_up(conversing)
    assert active(conversing) == both
    assert len(versions_of(conversing, new)) == 1
    with pytest.raises(ConflictError):
        undo(conversing, new)  # it has replaced nothing


def test_it_is_not_separated_into_a_place_that_is_taken(conversing: Conversing) -> None:
    old, _ = learn_twice(conversing)
    tidy_up(conversing)
    learn(conversing, "allergy_kiwi", "green kiwi", 4, category="constraint")
    with pytest.raises(ConflictError):
        undo(conversing, old)


def test_a_joined_fact_goes_with_the_one_it_was_joined_with(conversing: Conversing) -> None:
    old, new = learn_twice(conversing)
    tidy_up(conversing)
    with conversing.services.database.transaction(user=conversing.user_id) as connection:
        forget_fact(connection, conversing.user_id, new.fact_id)
    assert held(conversing) == []
    with pytest.raises(NotFoundError):
        undo(conversing, old)


def test_when_the_message_of_the_one_goes_the_other_is_current_again(
    product: Services, conversing: Conversing
) -> None:
    learn_twice(conversing)
    tidy_up(conversing)
    assert conversing.conversation_id is not None
    with product.database.transaction(user=conversing.user_id) as connection:
        message = messages.get_message(connection, conversing.conversation_id, 2)
        unlearn(connection, conversing.user_id, message)
    [fact] = held(conversing)
    assert (fact.key, fact.former_key, fact.tidied) == ("allergy_kiwi", None, None)
    assert find_breaches(product.database, product.settings, quiet=False) == []


def test_a_newer_taste_ends_its_opposite_until_undone(conversing: Conversing) -> None:
    conversing.round()
    old = learn(conversing, "likes_olives", "olives", 0, category="preference")
    learn(conversing, "dislikes_olives", "olives", 2, category="preference")
    tidy_up(conversing)
    assert active(conversing) == {"dislikes_olives": "olives"}
    undo(conversing, old)
    assert set(active(conversing)) == {"likes_olives", "dislikes_olives"}


def test_what_was_said_to_hold_until_a_day_expires_on_it_until_undone(
    product: Services, conversing: Conversing
) -> None:
    conversing.round("I am staying at the Ritz until 3 December.")
    run_sql(product, "UPDATE messages SET created_at = '2024-11-28T12:00:00Z'")
    stay = learn(conversing, "hotel", "the Ritz", 0)
    run_sql(
        product,
        "UPDATE structured_facts"
        " SET valid_from = '2024-11-28T12:00:00Z', valid_until = '2024-12-03'",
    )
    run_sql(product, "UPDATE users SET time_zone = 'Europe/Rome'")
    tidy_up(conversing)
    assert active(conversing) == {}
    assert versions_of(conversing, stay) == [("hotel", "the Ritz", "expired")]
    with as_owner(product) as connection:
        [ended] = tidied.list_tidied(connection, conversing.user_id, 5)
    assert ended.valid_to == datetime(2024, 12, 3, 23, tzinfo=UTC)
    undo(conversing, stay)
    tidy_up(conversing)
    assert active(conversing) == {"hotel": "the Ritz"}


def test_what_no_date_resolves_is_asked_once(product: Services, conversing: Conversing) -> None:
    conversing.round()
    conversing.round()
    learn(conversing, "car", "a Skoda", 0)
    learn(conversing, "vehicle", "a Fiat", 2, confidence=0.5)
    tidy_up(conversing)
    [suggestion] = suggested(conversing)
    assert (suggestion.key, suggestion.value, suggestion.source_sequence) == ("car", "a Fiat", 2)
    assert active(conversing) == {"car": "a Skoda", "vehicle": "a Fiat"}
    with product.database.transaction(user=conversing.user_id) as connection:
        dismiss_suggestion(connection, conversing.user_id, suggestion.suggestion_id)
    tidy_up(conversing)
    assert suggested(conversing) == []


def test_what_the_user_says_to_a_contradiction_holds(
    product: Services, conversing: Conversing
) -> None:
    conversing.round()
    conversing.round()
    learn(conversing, "car", "a Skoda", 0)
    learn(conversing, "vehicle", "a Fiat", 2, confidence=0.5)
    tidy_up(conversing)
    [suggestion] = suggested(conversing)
    with product.database.transaction(user=conversing.user_id) as connection:
        confirm_suggestion(connection, conversing.user_id, suggestion.suggestion_id)
    tidy_up(conversing)
    assert active(conversing) == {"car": "a Fiat"}


def test_it_is_claimed_once_and_done_once(product: Services, conversing: Conversing) -> None:
    learn_twice(conversing)
    job = claim(conversing).job_id
    with pytest.raises(JobInProgressError):
        claim(conversing)
    together = Barrier(3)

    def deliver(_: int) -> None:
        together.wait()
        do_job(product, "tidying", job)

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(deliver, range(3)))
    assert tidyings(product, "completed") == [job]
    assert active(conversing) == {"kiwi_allergy": "kiwi"}


def test_one_whose_worker_died_is_taken_up_again(product: Services, conversing: Conversing) -> None:
    learn_twice(conversing)
    job = claim(conversing).job_id
    dead = conversing.begin(TIDYING, job)
    assert dead is not None
    do_job(product, "tidying", job)  # it is held
    assert tidyings(product, "processing") == [job]
    expire_leases(product)
    sweep(product)
    do_job(product, "tidying", job)
    assert tidyings(product, "completed") == [job]
    assert active(conversing) == {"kiwi_allergy": "kiwi"}


def test_two_users_are_tidied_apart(product: Services, conversing: Conversing) -> None:
    other = Conversing(product, user_id=UserId("eve"))
    for talk in (conversing, other):
        learn_twice(talk)
    assert claim(conversing) != claim(other)
    mine, theirs = tidyings(product, "processing")
    do_job(product, "tidying", mine)
    assert (len(held(conversing)), len(held(other))) == (1, 2)
    do_job(product, "tidying", theirs)
    assert len(held(other)) == 1


def test_it_is_run_again_when_it_failed_and_only_then(
    product: Services, conversing: Conversing
) -> None:
    learn_twice(conversing)
    conversation_id, settings = conversing.conversation_id, product.settings
    assert conversation_id is not None

    def rerun() -> int:
        with product.database.transaction(user=conversing.user_id) as connection:
            return rerun_job(
                connection, conversing.user_id, conversation_id, "tidying", settings
            ).job_id

    with pytest.raises(NothingToDoError):
        rerun()
    claim(conversing)
    run_sql(product, "UPDATE tidyings SET status = 'failed', finished_at = now()")
    do_job(product, "tidying", rerun())
    assert len(tidyings(product, "completed")) == 1


def test_who_has_said_nothing_has_nothing_to_tidy(conversing: Conversing) -> None:
    with pytest.raises(NothingToDoError):
        claim(conversing)
