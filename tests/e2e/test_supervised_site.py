"""The whole site under its supervisor: at work, and in trouble.

Root starts it in a folder that nobody else may enter; it runs as another account. Ids, never text,
are in what it writes: each marker is said in one place and one way, so that a finding names what
gave it away.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import psycopg2
import pytest

from supervisor.embedded.owner import find_owner
from tests.e2e.marked import MARK, Marked
from tests.e2e.supervised import ONLY_ROOT, leave_as_root_did, supervised_site, uids_below
from tests.exports import EXPORT_S
from tests.fakes.openai_server import Scripted, running_openai_server
from tests.services import private_folder
from tests.waiting import wait_for

START_S = 90
PROCESSES = 7  # five of the Procfile, and two services
TROUBLE = """
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cannot take %', NEW USING DETAIL = NEW::text; END $$;
    CREATE TRIGGER broken BEFORE INSERT OR UPDATE ON structured_facts
        FOR EACH ROW EXECUTE FUNCTION break()
"""


@pytest.fixture(scope="module")
def site() -> Iterator[Marked]:
    with private_folder() as folder, running_openai_server() as model, ExitStack() as stack:
        project = folder / "closed" / "project"
        project.mkdir(parents=True)
        project.chmod(0o711)
        project.parent.chmod(0o700)
        leave_as_root_did(project / ".data")
        supervisor = stack.enter_context(supervised_site(project))
        supervisor.start(
            LLM_MODEL="fake-model",
            LLM_API_BASE=model.base_url,
            LLM_API_KEY="sk-test",
            LLM_TRIES="1",
            LOG_LEVEL="DEBUG",
            LEASE_S="10",
            SWEEP_EVERY_S="1",
        )
        marked = Marked(supervisor, model)
        wait_for(
            lambda: marked.ask("GET", "/readyz").is_success, START_S, lambda: supervisor.output
        )
        yield marked


@ONLY_ROOT
def test_started_by_root_in_a_closed_folder_the_site_runs_as_another_account(site: Marked) -> None:
    supervisor = site.supervisor
    project, data = supervisor.folder, supervisor.folder / ".data"
    supervisor.wait_for("Ctrl-C stops everything in order.")
    wait_for(lambda: len(supervisor.pids()) == PROCESSES, START_S, lambda: supervisor.output)
    wait_for(lambda: "encoder.loaded" in supervisor.output, EXPORT_S, lambda: supervisor.output)
    assert set().union(*map(uids_below, supervisor.pids())) == {find_owner().uid}
    assert (data / "embeddings/old/file").stat().st_uid == find_owner().uid
    assert site.chat(site.mark("First")).status_code == 200
    assert "PermissionError" not in supervisor.output
    secret = (data / "secret-key").stat()
    assert (secret.st_uid, secret.st_mode & 0o777) == (0, 0o600)
    assert (project.parent.stat().st_mode & 0o777) == 0o700
    assert (data / "postgres/PG_VERSION").exists()


@pytest.fixture(scope="module")
def busy(site: Marked) -> Marked:
    """Everything that can be said, well and badly; then faults, while it is said again."""
    conversation = converse(site)
    refuse(site, conversation)
    bring_in(site)
    speak_badly(site)
    break_the_model(site, conversation)
    break_the_services(site, conversation)
    return site


def converse(site: Marked) -> str:
    first = site.chat(site.mark("Message"))
    conversation_id = str(first.json()["conversation_id"])
    site.ask(
        "PATCH", f"/api/v1/conversations/{conversation_id}", json={"title": site.mark("Title")}
    )
    site.ask("POST", f"/chat/{conversation_id}/0/edit", json={"message": site.mark("Edited")})
    fact = {"category": "identity", "key": "name", "value": site.mark("Fact")}
    site.ask("POST", "/api/v1/facts", json=fact)
    for number, path in enumerate(
        ("/api/v1/search?q=", "/api/v1/search?limit=nonsense&q=", "/api/v1/search?as_of=", "/c/")
    ):
        site.ask("GET", path + site.mark("Search" + "abcd"[number]))
    return conversation_id


def refuse(site: Marked, conversation: str) -> None:
    """409 while a reply is written, and 422 for a key that comes with another text."""
    goes_on = threading.Event()
    site.model.by_task["reply"] = Scripted(text="word " * 50, goes_on=goes_on)
    word = site.mark("Slow")
    slow = threading.Thread(target=site.chat, args=(word, conversation))
    slow.start()
    wait_for(
        lambda: any(word in str(request.body) for request in list(site.model.requests)), START_S
    )
    refused = site.chat(site.mark("Conflict"), conversation)
    goes_on.set()
    slow.join()
    del site.model.by_task["reply"]
    assert refused.status_code == 409
    for text in (site.mark("Keyed"), site.mark("Rekeyed")):
        site.ask("POST", "/chat", json={"message": text}, headers={"Idempotency-Key": "k"})


def bring_in(site: Marked) -> None:
    messages = [
        {"role": "user", "content": site.mark("Imported")},
        {"role": site.mark("Role"), "content": 7},
    ]
    good = {"id": site.mark("Id"), "title": site.mark("Dialogue"), "messages": messages[:1]}
    bad = {"id": "2", "title": site.mark("Broken"), "messages": messages}
    whole = json.dumps({"conversations": [good]})
    bodies = {"Good": whole, "Bad": json.dumps([bad]), "Cut": whole[:-9] + site.mark("CutFile")}
    for name, body in bodies.items():
        headers = {
            "Content-Type": "application/json",
            "Content-Disposition": f'attachment; filename="{site.mark("File" + name)}.json"',
        }
        site.ask("POST", "/api/v1/imports", content=body, headers=headers)
        path = f"/api/v1/imports?name={site.mark('Name' + name)}"  # refused
        site.ask("POST", path, content=body, headers=headers)


def speak_badly(site: Marked) -> None:
    for body in (
        f'{{"message": "{site.mark("CutJson")}',
        f'{{"message": ["{site.mark("List")}"]}}',
        f'{{"{site.mark("Field")}": 1, "message": "x", "mode": "{site.mark("Mode")}"}}',
        f'{{"message": "{site.mark("Null")}\\u0000"}}',
        f'{{"message": "{site.mark("Surrogate")}\\ud800"}}',
        f'{{"message": "x", "conversation_id": "{site.mark("Conversation")}"}}',
        "[" * 100_000 + f'"{site.mark("Nested")}',
    ):
        site.ask("POST", "/chat", content=body, headers={"Content-Type": "application/json"})
    site.ask("POST", "/chat", data={"message": site.mark("Form")})
    site.ask("GET", f"/{site.mark('Path')}", headers={"Last-Event-ID": site.mark("Event")})
    site.ask("POST", "/chat", json={}, headers={"Idempotency-Key": site.mark("Key") + "x" * 300})
    chunked = "Host: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json"
    for request in (
        f"GET /api/v1/search?q={site.mark('Line')} HTTP/9.9\r\n\r\n",
        f"{site.mark('Verb')} /api/v1/search HTTP/1.1\r\nHost: localhost\r\n\r\n",
        f"GET / HTTP/1.1\r\nX {site.mark('Header')}: 1\r\n\r\n",
        f"GET /?q={site.mark('Long')}{'x' * 9000} HTTP/1.1\r\n\r\n",
        f"POST /chat HTTP/1.1\r\n{chunked}\r\n\r\n{site.mark('Chunk')}\r\n",
    ):
        site.send_raw(request)


def break_the_model(site: Marked, conversation: str) -> None:
    """A server whose errors and answers quote what it was told."""
    for answer in (
        Scripted(status=500, error=site.mark("Error")),
        Scripted(status=400, error=site.mark("Refusal")),
        Scripted(text=site.mark("Reset") + " word" * 5, reset_after=2),
        Scripted(text=site.mark("Unfinished"), finish_reason=None),
    ):
        site.model.by_task["reply"] = answer
        site.chat(site.mark("Asked"), conversation)
    del site.model.by_task["reply"]
    for task in ("facts", "summary", "episode", "title"):
        site.model.by_task[task] = Scripted(text=f'{{"facts": "{site.mark("Wrong" + task)}')
    for _ in range(3):
        site.chat(site.mark("Again"), conversation)


def break_the_services(site: Marked, conversation: str) -> None:
    """Postgres raises errors with rows in them; one process after the other crashes."""
    site.run_sql(TROUBLE)
    fact = {"category": "preference", "key": "colour", "value": site.mark("Colour")}
    site.ask("POST", "/api/v1/facts", json=fact)
    crash_a_statement(site)
    wait_for(lambda: site.chat(site.mark("Recovered"), conversation).is_success, START_S)
    os.kill(site.supervisor.pid_of("valkey"), signal.SIGSEGV)
    site.supervisor.wait_for("valkey ended")
    wait_for(lambda: site.chat(site.mark("Revived"), conversation).is_success, START_S)
    for name in ("worker-llm", "web"):
        site.supervisor.kill(name)
    wait_for(lambda: site.chat(site.mark("Restarted"), conversation).is_success, START_S)


def crash_a_statement(site: Marked) -> None:
    """Postgres names the statement of a process that crashes, if it is let."""
    with closing(psycopg2.connect(site.database_url)) as connection:
        crash = threading.Thread(target=crash_backend, args=(site, connection.info.backend_pid))
        crash.start()
        with suppress(psycopg2.Error), connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(60), %s", (site.mark("Statement"),))
        crash.join()


def crash_backend(site: Marked, pid: int) -> None:
    """As soon as its statement runs."""
    with closing(psycopg2.connect(site.database_url)) as connection, connection.cursor() as cursor:
        connection.autocommit = True

        def runs() -> bool:
            cursor.execute(
                "SELECT FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'", (pid,)
            )
            return cursor.rowcount > 0

        wait_for(runs)
    os.kill(pid, signal.SIGSEGV)


def test_nothing_that_was_said_is_in_what_was_written(busy: Marked) -> None:
    leaks = {
        (marker, path, line)
        for path, text in busy.list_texts().items()
        for line in text.splitlines()
        if MARK in line
        for marker in busy.markers
        if marker in line
    }
    assert len(set(busy.markers)) > 50
    assert leaks == set()


def test_the_faults_themselves_were_told(busy: Marked) -> None:
    output = busy.supervisor.output
    assert "request.crashed" in output
    assert "SQLSTATE P0001" in output
    assert "was terminated by signal 11" in output


def test_what_was_said_is_kept_where_it_belongs(busy: Marked) -> None:
    """So that the search above looks for what was really said."""
    export = busy.ask("GET", "/api/v1/export").text
    assert all(f"{MARK}{what}" in export for what in ("Edited", "Fact", "Imported", "Restarted"))
