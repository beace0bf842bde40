"""Search over HTTP for words that are misspelt."""

from __future__ import annotations

import pytest

from shared.db import execute
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.searches import conversation, hits_of, search_messages, texts_of
from tests.integration.web.transfers import PROXY, send
from tests.services import as_owner

pytestmark = pytest.mark.newcomers


def test_a_word_that_nothing_says_is_taken_for_the_one_that_was_meant(browser: Browser) -> None:
    send(browser, [conversation("We met in Barcelona.", id="1"), conversation("Rain.", id="2")])
    result = search_messages(browser, "barcelna")
    assert result["corrected"] == {"barcelna": "barcelona"}
    assert (result["query"], texts_of(result)) == ("barcelna", ["We met in Barcelona"])
    assert hits_of(result) == [["Barcelona"]]
    assert search_messages(browser, "Met Bracelna")["corrected"] == {"bracelna": "barcelona"}


@pytest.mark.parametrize("query", ["universty", "univresity", "univercity"])
def test_words_are_compared_as_they_were_said_not_by_their_stems(
    browser: Browser, query: str
) -> None:
    send(browser, conversation("My university is old.", "How old?"))
    result = search_messages(browser, query)
    assert result["corrected"] == {query: "university"}
    assert texts_of(result) == ["My university is old"]


@pytest.mark.parametrize(
    "query",
    [
        "barcelna",  # said as it is written, too
        "elona",  # a part of a word
        '"barcelone"',
        "-barcelone tea",
        "harcelona",
        "tee",
    ],
)
def test_what_was_said_as_written_or_is_asked_for_exactly_is_not_corrected(
    browser: Browser, query: str
) -> None:
    send(browser, conversation("We met in Barcelona for tea.", "In barcelna?"))
    assert search_messages(browser, query)["corrected"] == {}


def test_what_the_model_knows_is_spelt_well(make_separate_browser: MakeBrowser) -> None:
    browser = make_separate_browser()
    send(browser, conversation("What a show!"))
    assert search_messages(browser, "shoo")["corrected"] == {"shoo": "show"}
    browser.context.encoder.knows = lambda word: word == "shoo"  # type: ignore[method-assign]
    assert search_messages(browser, "shoo")["corrected"] == {}


def test_a_common_word_is_meant_before_a_rare_one(browser: Browser) -> None:
    send(browser, conversation("I wish we had tea with milk, which is rare."))
    result = search_messages(browser, "wich milk")
    assert result["corrected"] == {"wich": "which"}
    assert hits_of(result) == [["milk"]]


def test_nobody_is_corrected_by_what_another_has_said(make_shared_browser: MakeBrowser) -> None:
    site = make_shared_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    send(site, conversation("We met in Barcelona"), **ada)
    assert search_messages(site, "barcelna", **ada)["corrected"] == {"barcelna": "barcelona"}
    assert search_messages(site, "barcelna", **bob)["corrected"] == {}


def test_what_is_deleted_corrects_nothing(browser: Browser) -> None:
    send(browser, conversation("We met in Barcelona"))
    with as_owner(browser.context.services) as connection:
        execute(connection, "DELETE FROM conversations")
    assert search_messages(browser, "barcelna")["corrected"] == {}


def test_a_word_is_corrected_by_what_had_been_said_by_then(browser: Browser) -> None:
    send(browser, conversation("Hello", "Hello", "We met in Barcelona.", "Oh."))
    args = {"q": "bracelna", "as_of": "2024-03-05T10:01:30Z"}
    answer = browser.client.get("/api/v1/search", query_string=args)
    assert answer.get_json()["corrected"] == {}


def test_scripts_without_spaces_are_left_alone(browser: Browser) -> None:
    send(browser, conversation("東京大学病院に行きました"))
    assert search_messages(browser, "東京大字病院")["corrected"] == {}


def test_a_misspelt_name_of_a_speaker_is_put_right(browser: Browser) -> None:
    send(browser, conversation("Melanie saw a heron."))
    assert search_messages(browser, "Melany heron")["corrected"] == {}  # two errors
    assert search_messages(browser, "Melanei heron")["corrected"] == {"melanei": "melanie"}
