"""What is made of an import: the user's turns, and jobs that wait behind those of live rounds."""

from __future__ import annotations

from typing import Any, LiteralString

from shared.db import execute, fetch_rows
from shared.derivations.kinds import do_job
from shared.derivations.kinds.facts import READ_LIMIT
from tests.integration.web.conftest import Browser
from tests.integration.web.rows import row
from tests.integration.web.transfers import dialogue, send
from tests.services import as_owner

WHO_WAITS = """
    SELECT title IS DISTINCT FROM 'A dialogue' AS is_live, in_backlog
    FROM conversations JOIN (
        SELECT conversation_id, in_backlog FROM memory
        UNION ALL SELECT conversation_id, in_backlog FROM episodic_memory
        UNION ALL SELECT conversation_id, in_backlog FROM fact_extractions) AS jobs
    USING (conversation_id)
"""


def long_dialogue() -> dict[str, Any]:
    """Of more messages than one extraction reads."""
    messages = [
        {"role": role, "content": f"{role} says {place}"}
        for place in range(READ_LIMIT + 40)
        for role in ("user", "assistant")
    ]
    return dialogue(messages=messages)


def test_imported_user_messages_count_as_the_users_turns(browser: Browser) -> None:
    browser.chat("Hello")
    send(browser, dialogue(rounds=3))
    assert row(browser, "SELECT turn_count FROM users")["turn_count"] == 4
    with as_owner(browser.context.services) as connection:
        turns = fetch_rows(
            connection,
            """
            SELECT user_turn FROM messages JOIN conversations USING (conversation_id)
            WHERE import_id IS NOT NULL ORDER BY sequence_number
            """,
        )
    assert [turn["user_turn"] for turn in turns] == [2, None, 3, None, 4, None]


def test_an_imported_conversation_goes_through_the_same_pipeline(browser: Browser) -> None:
    import_id = send(browser, dialogue(rounds=4))["import_id"]
    before = browser.get(f"/api/v1/imports/{import_id}")
    assert before["tiers"]["summary"] == {"covered": 0, "total": 8}
    assert before["jobs"] >= 1
    job = row(browser, "SELECT memory_id, end_sequence, status FROM memory")
    assert (job["end_sequence"], job["status"]) == (7, "processing")
    do_job(browser.context.services, "summary", job["memory_id"])
    after = browser.get(f"/api/v1/imports/{import_id}")
    assert after["tiers"]["summary"] == {"covered": 8, "total": 8}
    assert after["jobs"] == before["jobs"] - 1
    assert [item["import_id"] for item in browser.get("/api/v1/imports")["imports"]] == [import_id]


def test_nothing_is_made_of_a_conversation_that_is_off(browser: Browser) -> None:
    report = send(browser, dialogue(rounds=4, mode="off"))
    assert browser.get(f"/api/v1/imports/{report['import_id']}")["jobs"] == 0


def test_jobs_of_an_import_wait_behind_those_of_live_rounds(browser: Browser) -> None:
    send(browser, long_dialogue())
    conversation_id = browser.chat("One").get_json()["conversation_id"]
    for text in ("Two", "Three"):
        browser.chat(text, conversation_id=conversation_id)
    with as_owner(browser.context.services) as connection:
        rows = fetch_rows(connection, WHO_WAITS)
    assert {(row["is_live"], row["in_backlog"]) for row in rows} == {(True, False), (False, True)}


def test_what_a_job_of_an_import_leaves_stays_behind_live_ones(browser: Browser) -> None:
    send(browser, long_dialogue())
    services = browser.context.services
    with as_owner(services) as connection:
        jobs = fetch_rows(connection, "SELECT id FROM fact_extractions")
    do_job(services, "facts", jobs[0]["id"])
    with as_owner(services) as connection:
        [rest] = fetch_rows(
            connection,
            "SELECT start_sequence, in_backlog FROM fact_extractions WHERE status = 'processing'",
        )
    assert rest["start_sequence"] > 0
    assert rest["in_backlog"]


def test_an_import_tells_which_of_its_jobs_failed_and_may_run_again(browser: Browser) -> None:
    report = send(browser, [dialogue(rounds=4), dialogue(id="d-2", mode="off")])
    path = f"/api/v1/imports/{report['import_id']}"
    assert browser.get(path)["failed_jobs"] == []
    assert browser.get(path)["tiers"]["facts"]["total"] == 8  # nothing is made of the other
    change(browser, "UPDATE memory SET status = 'failed', error = 'gave up', finished_at = now()")
    [failed] = browser.get(path)["failed_jobs"]
    assert failed["kind"] == "summary"
    again = f"/api/v1/conversations/{failed['conversation_id']}/jobs/summary/run"
    assert browser.client.post(again).status_code == 202
    assert browser.get(path)["failed_jobs"] == []


def test_a_job_whose_message_was_replaced_has_not_failed(browser: Browser) -> None:
    report = send(browser, dialogue(rounds=4))
    change(
        browser,
        """
        UPDATE memory SET status = 'failed', error = 'message 6 was replaced', finished_at = now()
        """,
    )
    assert browser.get(f"/api/v1/imports/{report['import_id']}")["failed_jobs"] == []
    [conversation] = browser.get("/api/v1/conversations")["conversations"]
    jobs = browser.get(f"/api/v1/conversations/{conversation['conversation_id']}/jobs")
    assert "summary" not in jobs["counts"]
    assert [job["state"] for job in jobs["jobs"] if job["kind"] == "summary"] == ["failed"]


def change(browser: Browser, sql: LiteralString) -> None:
    with as_owner(browser.context.services) as connection:
        execute(connection, sql)
