"""The search page: a step that runs out of time costs no other."""

from __future__ import annotations

import pytest

from shared.errors import DatabaseTimeoutError, DatabaseUnavailableError
from shared.models import SearchFilter
from shared.recall.search import Search, SearchResult, search_memory
from tests.asking import make_query
from tests.fakes.memory import EmptyDatabase
from tests.unit.recall.test_prompt import LoadingEncoder

# The query, titles and facts, by words, the relevant, episodes, by parts, files, the relevant in
# full.
READS = 8


def find(database: EmptyDatabase, text: str = "zeppelin") -> SearchResult:
    return search_memory(
        database,
        LoadingEncoder(),
        Search(query=make_query(text), only=SearchFilter(), limit=9),
        3.0,
    )


def test_in_an_empty_memory_nothing_is_found_and_nothing_is_missing() -> None:
    database = EmptyDatabase()
    results = find(database)
    assert (results.messages, results.episodes, results.incomplete) == ((), (), False)
    assert database.transactions == READS


@pytest.mark.parametrize("place", range(READS))
def test_a_step_that_runs_out_of_time_is_told_and_costs_no_other(place: int) -> None:
    database = EmptyDatabase(errors=[*[None] * place, DatabaseTimeoutError()])
    results = find(database)
    assert results.incomplete
    skipped = 1 if place == 0 else 0  # what cannot be read is looked for by its words alone
    assert database.transactions == READS - skipped


def test_without_a_database_the_search_fails() -> None:
    with pytest.raises(DatabaseUnavailableError):
        find(EmptyDatabase(then=DatabaseUnavailableError()))


@pytest.mark.parametrize("text", ['"a zeppelin"', "zeppelin -silver"])
def test_an_exact_query_is_neither_corrected_nor_read_as_a_question(text: str) -> None:
    database = EmptyDatabase()
    find(database, text)
    assert database.transactions == READS - 2
