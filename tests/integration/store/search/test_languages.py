"""Words in other languages than English, and in scripts that put no spaces between them."""

from __future__ import annotations

import pytest

from migrations.checks import read_languages
from shared.db import fetch_row, fetch_rows
from shared.models import SearchFilter, UserId
from shared.recall.search import Search, search_memory
from shared.services import Services
from shared.settings import SettingsError
from shared.store.search.hits import search_by_words
from tests.asking import make_query
from tests.integration.conversing import USER, NoEncoder
from tests.integration.recall.test_messages import ask, say, unembedded
from tests.services import as_owner


def set_languages(product: Services, languages: list[str]) -> None:
    with as_owner(product) as connection:
        read_languages(connection, languages)


def texts(product: Services, question: str) -> list[str]:
    return [quote.text for quote in ask(product, question)]


def find(product: Services, query: str, user_id: UserId = USER) -> list[str]:
    with as_owner(product) as connection:
        return [
            message.content
            for message in search_by_words(
                connection, make_query(query, user_id), SearchFilter(), 9
            )
        ]


def hits(product: Services, query: str) -> list[str]:
    search = Search(query=make_query(query, USER), only=SearchFilter(), limit=9)
    messages = search_memory(product.database, NoEncoder(), search, 3).messages
    return [piece for _, pieces in messages for piece, is_hit in pieces if is_hit]


@pytest.mark.changes_schema
def test_german_endings_are_known_once_german_is_set(product: Services) -> None:
    say(product, "Wir haben zwei alte Häuser gekauft.")
    say(product, "Es regnet.")
    assert find(product, "haus") == []
    set_languages(product, ["english", "german"])
    assert find(product, "altes haus") == ["Wir haben zwei alte Häuser gekauft."]
    assert texts(product, "Welches Haus?") == ["Wir haben zwei alte Häuser gekauft."]


@pytest.mark.changes_schema
def test_english_is_still_read_beside_another_language(product: Services) -> None:
    say(product, "She was running along the river.")
    set_languages(product, ["german", "english"])
    assert find(product, "run rivers") == ["She was running along the river."]
    assert texts(product, "Who runs?") == ["She was running along the river."]


@pytest.mark.changes_schema
def test_a_change_of_languages_reads_episodes_anew_and_embeds_nothing_again(
    product: Services,
) -> None:
    say(product, "Zwei alte Häuser.")
    waiting = unembedded(product)
    with as_owner(product) as connection:
        rows = fetch_rows(connection, "SELECT ticket FROM unembedded_messages")
    set_languages(product, ["german"])
    with as_owner(product) as connection:
        assert fetch_rows(connection, "SELECT ticket FROM unembedded_messages") == rows
        row = fetch_row(connection, "SELECT said_words('alte Häuser')::text AS words")
    assert row is not None
    assert row["words"] == "'alt':1 'haus':2"
    assert len(rows) == waiting


@pytest.mark.changes_schema
def test_while_languages_change_nobody_adds_passages_in_those_before(product: Services) -> None:
    with as_owner(product) as connection:
        read_languages(connection, ["german"])
        locks = fetch_rows(
            connection,
            """
            SELECT relation::regclass::text AS name FROM pg_locks
            WHERE pid = pg_backend_pid() AND mode = 'ShareRowExclusiveLock' AND granted
            """,
        )
    assert {"messages", "file_passages"} <= {row["name"] for row in locks}


@pytest.mark.changes_schema
def test_a_language_that_postgres_does_not_know_stops_the_start(product: Services) -> None:
    with pytest.raises(SettingsError, match="RECALL_LANGUAGES: Postgres does not know klingon"):
        set_languages(product, ["english", "klingon"])
    say(product, "She was running.")
    assert find(product, "run") == ["She was running."]


@pytest.mark.parametrize(
    ("text", "question", "hit"),
    [
        ("我最喜欢吃苹果。", "谁喜欢吃什么?", "喜欢"),
        ("東京タワーに行きました。", "東京のどこ?", "東京"),
        ("ฉันรักแมวของฉัน", "แมวชื่ออะไร", "แม"),
        ("저는 고양이를 좋아해요.", "고양이 이름은?", "고양"),
    ],
)
def test_scripts_without_spaces_are_found_by_pairs_of_letters(
    product: Services, text: str, question: str, hit: str
) -> None:
    say(product, text)
    say(product, "Something else.")
    assert find(product, hit) == [text]
    assert any(hit in message for message in hits(product, question))
    assert texts(product, question) == [text]


def test_what_stands_between_such_letters_is_found_as_a_word(product: Services) -> None:
    say(product, "我在Berlin住了三年")
    assert find(product, "berlin 三年") == ["我在Berlin住了三年"]
    assert find(product, "berlin 五年") == []


def test_a_long_text_without_a_space_can_be_said(product: Services) -> None:
    letters = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(100_000))
    say(product, letters)
    assert find(product, letters[500:510]) == [letters]
