"""Search over HTTP."""

from __future__ import annotations

import pytest

from shared.db import execute
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.searches import conversation, hits_of, search_messages, texts_of
from tests.integration.web.transfers import PROXY, send
from tests.services import as_owner

pytestmark = pytest.mark.newcomers


def test_a_message_is_found_by_its_words_and_says_where_it_stands(browser: Browser) -> None:
    send(browser, conversation("I was running along the river.", "How far?", "Ten miles."))
    result = search_messages(browser, "run river")
    [message] = result["messages"]
    assert (message["title"], message["sequence_number"], message["role"]) == ("Talk", 0, "user")
    assert message["created_at"].startswith("2024-03-05T10:00")
    assert texts_of(result) == ["I was running along the river"]
    assert hits_of(result) == [["running", "river"]]


@pytest.mark.parametrize(
    ("query", "hit"),
    [("isbo", "isbo"), ("日本", "日本"), ("the", "the"), ("++ and", "++")],
)
def test_parts_of_words_and_what_is_no_english_word_are_found_as_written(
    browser: Browser, query: str, hit: str
) -> None:
    text = "Lisbon is 100% to the liking of who writes C++ and 日本語."
    send(browser, [conversation(text), conversation("Nothing of that sort: 1000 C.")])
    [hits] = hits_of(search_messages(browser, query))
    assert hit in hits


@pytest.mark.parametrize("query", ["C++", "100%"])
def test_what_holds_the_query_as_it_is_written_comes_first(browser: Browser, query: str) -> None:
    send(browser, [conversation("C C C 100 100", id="1"), conversation("C++ is 100%", id="2")])
    assert texts_of(search_messages(browser, query))[0].startswith("C++ is")


def test_words_come_before_parts_of_words_and_nothing_comes_twice(browser: Browser) -> None:
    send(browser, [conversation("A catalogue", id="1"), conversation("A cat", id="2")])
    assert texts_of(search_messages(browser, "cat")) == ["A cat", "A catalogue"]


def test_quotes_ask_for_a_phrase_and_a_minus_leaves_out(browser: Browser) -> None:
    send(
        browser,
        [
            conversation("red wine with fish", id="1"),
            conversation("wine, and a red car", id="2"),
            conversation("red wine with cheese", id="3"),
        ],
    )
    assert texts_of(search_messages(browser, '"red wine" -fish')) == ["red wine with cheese"]


def test_markup_and_marks_in_messages_stay_text(browser: Browser) -> None:
    send(browser, conversation("<mark>parrot</mark> \x01hidden\x02 <script>alert(1)</script>"))
    [pieces] = [message["snippet"] for message in search_messages(browser, "parrot")["messages"]]
    assert [text for text, is_hit in pieces if is_hit] == ["parrot"]
    assert "hidden" not in [text for text, is_hit in pieces if is_hit]


def test_a_long_message_is_cut_around_the_hit(browser: Browser) -> None:
    send(browser, conversation("before " * 500 + "needle " + "after " * 500))
    [by_word] = texts_of(search_messages(browser, "needle"))
    [by_part] = texts_of(search_messages(browser, "needl"))
    assert max(len(by_word), len(by_part)) < 500
    assert "needle" in by_word
    assert "needle" in by_part


def test_episodes_are_found_too(browser: Browser, talk: Conversing) -> None:
    talk.round()
    with as_owner(browser.context.services) as connection:
        execute(
            connection,
            """
            INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary,
                                         status, lease_until)
            VALUES (%(user)s, %(id)s, 4, 9, 'A week in Lisbon was planned.', 'completed', now())
            """,
            user=talk.user_id,
            id=talk.conversation_id,
        )
    [episode] = search_messages(browser, "plans for lisbon")["episodes"]
    assert (episode["conversation_id"], episode["sequence_number"]) == (talk.conversation_id, 4)
    assert [text for text, is_hit in episode["snippet"] if is_hit] == ["Lisbon", "planned"]


def test_an_episode_is_found_by_what_was_said_in_it(browser: Browser, talk: Conversing) -> None:
    talk.round("My zeppelin is silver.")
    talk.round("It rains.")
    with as_owner(browser.context.services) as connection:
        execute(
            connection,
            """
            INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary,
                                         status, lease_until, ended_at)
            VALUES (%(user)s, %(id)s, 0, 1, 'Plans.', 'completed', now(), '2124-05-01Z'),
                   (%(user)s, %(id)s, 2, 3, 'Weather.', 'completed', now(), '2124-05-01Z')
            """,
            user=talk.user_id,
            id=talk.conversation_id,
        )
    [episode] = search_messages(browser, "zeppelin")["episodes"]
    assert (episode["summary"], episode["snippet"]) == ("Plans.", [["Plans.", False]])
    assert search_messages(browser, '"zeppelin"')["episodes"] == []
    args = {"q": "zeppelin", "as_of": "2124-04-30"}
    assert browser.client.get("/api/v1/search", query_string=args).get_json()["episodes"] == []


def test_nobody_finds_what_another_has_said(make_shared_browser: MakeBrowser) -> None:
    site = make_shared_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    send(site, conversation("A secret garden"), **ada)
    assert len(search_messages(site, "secret", **ada)["messages"]) == 1
    assert search_messages(site, "secret", **bob)["messages"] == []
    assert search_messages(site, "ecre", **bob)["messages"] == []


SIGNS = ["'", "\\", "& | ! (", ":*", "<->", '"', "%", "_", "a' OR '1'='1"]


@pytest.mark.parametrize("query", SIGNS)
def test_no_sign_breaks_a_search(browser: Browser, query: str) -> None:
    send(browser, conversation("Plain text without any"))
    assert search_messages(browser, query)["messages"] == []


def test_a_question_finds_what_shares_only_some_of_its_words(browser: Browser) -> None:
    send(browser, [conversation("My bicycle is called Rosinante.", id="1")])
    assert texts_of(search_messages(browser, "What was the name of that bicycle?")) == [
        "My bicycle is called Rosinante"
    ]


def test_what_is_asked_for_exactly_is_not_filled_up(browser: Browser) -> None:
    send(browser, [conversation("wine, and a red car", id="1")])
    assert texts_of(search_messages(browser, '"red wine"')) == []
    assert texts_of(search_messages(browser, "wine -car")) == []


def test_as_of_finds_what_had_been_said_by_then(browser: Browser) -> None:
    send(browser, conversation("My zeppelin is silver.", "Fine.", "My zeppelin is red.", "Oh."))

    def texts_as_of(query: str, instant: str) -> list[str]:
        answer = browser.client.get("/api/v1/search", query_string={"q": query, "as_of": instant})
        return texts_of(answer.get_json())

    assert texts_as_of("zeppelin", "2024-03-05T10:01:30") == ["My zeppelin is silver"]
    assert texts_as_of("ppelin", "2024-03-05T10:01:30Z") == ["My zeppelin is silver."]
    assert texts_as_of("which zeppelin", "2024-03-05T10:01:30+00:00") == ["My zeppelin is silver"]
    assert texts_as_of("zeppelin", "2024-03-05") == []
    assert len(texts_as_of("zeppelin", "2024-03-06")) == 2


@pytest.mark.parametrize("instant", ["then", "0001-01-01", ""])
def test_an_instant_that_is_none_is_refused_by_name(browser: Browser, instant: str) -> None:
    refused = browser.client.get("/api/v1/search", query_string={"q": "zeppelin", "as_of": instant})
    assert (refused.status_code, "as_of" in refused.text) == (400, True)


def test_what_has_the_words_is_told_from_what_is_only_related(browser: Browser) -> None:
    send(
        browser,
        [
            conversation("I am allergic to peanuts.", "No nuts then.", id="1"),
            conversation("Cashews and almonds make me ill.", "I will keep that in mind.", id="2"),
        ],
    )
    matches = [message["match"] for message in search_messages(browser, "peanuts")["messages"]]
    assert matches[:1] == ["exact"]
    assert set(matches[1:]) <= {"related"}


def test_titles_and_facts_are_found_too(browser: Browser) -> None:
    send(browser, conversation("Where shall we go?", title="A week in Lisbon"))
    fact = {"category": "preference", "key": "favourite_city", "value": "Lisbon"}
    assert browser.client.post("/api/v1/facts", json=fact).status_code == 201
    result = search_messages(browser, "lisbon")
    assert [entry["title"] for entry in result["conversations"]] == ["A week in Lisbon"]
    assert [entry["value"] for entry in result["facts"]] == ["Lisbon"]
    assert search_messages(browser, "favourite city")["facts"][0]["key"] == "favourite_city"
    assert search_messages(browser, "100%")["facts"] == []


def test_a_search_may_be_limited_to_a_speaker_a_time_or_a_conversation(browser: Browser) -> None:
    send(
        browser,
        [
            conversation("The heron came.", "A heron, really?", id="1"),
            conversation("Another heron.", id="2"),
        ],
    )
    every = search_messages(browser, "heron")["messages"]
    assert len(every) == 3
    first = next(message for message in every if message["role"] == "assistant")

    def limited(**only: str) -> list[str]:
        answer = browser.client.get("/api/v1/search", query_string={"q": "heron"} | only)
        assert answer.status_code == 200, answer.text
        result = answer.get_json()
        return [message["role"] for message in result["messages"] if message["match"] == "exact"]

    assert limited(role="assistant") == ["assistant"]
    assert sorted(limited(conversation_id=first["conversation_id"])) == ["assistant", "user"]
    assert limited(since="2024-03-05T10:00:30") == ["assistant"]
    assert limited(since="2030-01-01") == []
    wrong = browser.client.get("/api/v1/search", query_string={"q": "heron", "role": "tool"})
    assert wrong.status_code == 400


def test_a_limited_search_has_no_titles_and_facts(browser: Browser) -> None:
    send(browser, conversation("Herons.", title="Heron talk"))
    answer = browser.client.get("/api/v1/search?q=heron&role=user").get_json()
    assert (answer["conversations"], answer["facts"]) == ([], [])
