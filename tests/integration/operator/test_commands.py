"""The command `throughline` on a database that was used."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.access.tokens import check_token
from shared.db import execute, fetch_row
from shared.errors import InvalidTokenError
from shared.services import Services
from shared.settings import Settings
from tests.embedding import embed_pending
from tests.integration.conversing import Conversing
from tests.services import as_owner
from throughline.__main__ import COMMANDS, HELP, main

Run = Callable[..., Result]
USER = "local"


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command on the test's database, away from any .env."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", settings.database_url)
    monkeypatch.setenv("REDIS_URL", settings.redis_url)
    monkeypatch.setenv("DATA_DIR", str(settings.data_dir))
    runner = CliRunner()
    return lambda *words, **more: runner.invoke(main, words, **more)


def read_json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_each_command_can_be_loaded_and_says_what_it_does(run: Run) -> None:
    assert COMMANDS.keys() == HELP.keys()
    for name in COMMANDS:
        assert run(name, "--help").exit_code == 0
        assert name in run("--help").output


@pytest.mark.parametrize("content", [b"\xff\xfeA=1", b"\x80"])
def test_an_env_file_that_is_no_text_is_told(run: Run, content: bytes) -> None:
    Path(".env").write_bytes(content)
    assert str(run("jobs").exception) == ".env cannot be read: it is not UTF-8"
    Path(".env").unlink()
    os.mkfifo(".env")
    assert run("jobs").exit_code == 0


def test_half_an_address_in_brackets_is_told(run: Run) -> None:
    result = run("jobs", env={"DATABASE_URL": "postgresql://[::1/site"})
    assert "DATABASE_URL" in str(result.exception)


def test_an_unknown_command_is_told(run: Run) -> None:
    assert "No such command" in run("frobnicate").output


def test_verify_finds_nothing_and_then_what_was_broken(
    run: Run, product: Services, conversing: Conversing
) -> None:
    conversing.round("My sister is called Ada.")
    assert read_json(run("verify", "--json"))["breaches"] == []

    with as_owner(product) as connection:
        execute(connection, "DELETE FROM messages WHERE sequence_number = 0")

    result = run("verify")
    assert result.exit_code == 1
    assert "broken: sequence numbers have no holes" in result.output


def test_jobs_are_counted_and_stuck_ones_listed(
    run: Run, product: Services, conversing: Conversing
) -> None:
    for number in range(4):
        conversing.round(f"My favourite number is {number}.")
    with as_owner(product) as connection:
        execute(connection, "UPDATE memory SET created_at = now() - interval '1 day'")

    report = read_json(run("jobs", "--json"))

    assert {job["kind"] for job in report["counts"]} >= {"summary", "facts"}
    assert [job["kind"] for job in report["stuck"]] == ["summary"]
    assert "stuck: summary" in run("jobs").output


def test_a_failed_job_is_claimed_again_at_once(
    run: Run, product: Services, conversing: Conversing
) -> None:
    for number in range(4):
        conversing.round(f"My favourite number is {number}.")
    with as_owner(product) as connection:
        execute(connection, "UPDATE memory SET status = 'failed', finished_at = now()")

    report = read_json(run("requeue", "--conversation", conversing.conversation_id, "--json"))

    assert "summary" in {job["kind"] for job in report["sent"]}


def test_requeue_sweeps_and_names_an_unknown_conversation(run: Run) -> None:
    assert "Swept" in run("requeue").output
    missing = run("requeue", "--conversation", "00000000-0000-4000-8000-000000000000")
    assert (missing.exit_code, "no such conversation" in missing.output) == (2, True)


def test_retention_says_what_it_deleted(
    run: Run, product: Services, conversing: Conversing
) -> None:
    assert "Nothing was old enough" in run("retention").output
    for number in range(4):
        conversing.round(f"My favourite number is {number}.")
    with as_owner(product) as connection:
        execute(
            connection,
            "UPDATE memory SET status = 'failed', finished_at = now() - interval '99 days', "
            "created_at = now() - interval '99 days'",
        )

    assert read_json(run("retention", "--json"))["deleted"] == {"failed memory": 1}


def test_vectors_of_another_model_are_replaced(
    run: Run, product: Services, conversing: Conversing
) -> None:
    conversing.round("I grow tulips.")
    embed_pending(product)
    with as_owner(product) as connection:
        execute(connection, "UPDATE message_embeddings SET embedding_model = 'another'")

    report = read_json(run("reembed", "--json"))

    assert report["embedded"] == 2
    assert read_json(run("reembed", "--json"))["embedded"] == 0


def test_a_token_is_made_listed_and_revoked(run: Run, product: Services) -> None:
    token = read_json(
        run(
            "token",
            "make",
            USER,
            "--name",
            "for a script",
            "--scope",
            "chat",
            "--days",
            "3",
            "--json",
        )
    )
    with product.database.transaction() as connection:
        assert check_token(connection, token["token"]).scopes == ("chat",)

    listed = read_json(run("token", "list", USER, "--json"))["tokens"]
    assert [entry["name"] for entry in listed] == ["for a script"]
    assert token["token"] not in json.dumps(listed)

    assert run("token", "revoke", USER, str(token["token_id"])).exit_code == 0
    with product.database.transaction() as connection, pytest.raises(InvalidTokenError):
        check_token(connection, token["token"])
    again = run("token", "revoke", USER, str(token["token_id"]))
    assert (again.exit_code, "no such API token" in again.output) == (2, True)


def test_the_plain_output_of_a_new_token_is_the_token_alone(run: Run) -> None:
    assert run("token", "make", USER).stdout.strip().startswith("tl_")


@pytest.mark.parametrize("words", [("--scope", "everything"), ("--days", "0")])
def test_a_token_that_cannot_be_made_is_refused(run: Run, words: tuple[str, ...]) -> None:
    assert run("token", "make", USER, *words).exit_code == 2


def test_a_user_is_exported_and_erased(
    run: Run, product: Services, conversing: Conversing, tmp_path: Path
) -> None:
    conversing.round("I grow tulips.")
    user = conversing.user_id

    assert run("user", "export", user, str(tmp_path / "all.json")).exit_code == 0
    exported = json.loads((tmp_path / "all.json").read_text())
    assert "I grow tulips." in json.dumps(exported["conversations"])

    assert read_json(run("user", "erase", user, "--dry-run", "--json"))["erased"]["messages"] == 2
    assert run("user", "erase", user, input="n\n").exit_code == 1
    assert count_messages(product) == 2

    assert read_json(run("user", "erase", user, "--yes", "--json"))["erased"]["messages"] == 2
    assert count_messages(product) == 0


def test_a_misspelt_user_is_told_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    for words in (("export", "nobody", str(tmp_path / "all.json")), ("erase", "nobody", "--yes")):
        result = run("user", *words)
        assert (result.exit_code, "There is no user nobody" in result.output) == (2, True)
    assert not (tmp_path / "all.json").exists()


def test_without_a_site_the_command_says_how_to_start_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL")

    result = run("verify")

    assert "No site runs here" in f"{result.output}{result.exception}"


def count_messages(product: Services) -> int:
    with as_owner(product) as connection:
        row = fetch_row(connection, "SELECT count(*) AS count FROM messages")
    return row["count"] if row else 0
