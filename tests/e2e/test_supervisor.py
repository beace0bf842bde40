from __future__ import annotations

import os
import signal
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from supervisor.process_identity import find_identity
from tests.e2e.supervised import (
    NO_SERVICES,
    PROJECT,
    WEB,
    Supervised,
    supervised,
    wait_until_gone,
)
from tests.waiting import wait_for

SLEEPER = "sleep 600"
FLOWER = "flower: sh -c 'echo ${#FLOWER_BASIC_AUTH} characters; sleep 600'"
STAGES = ["web", "beat", "worker-llm, worker-embed", "flower"]
PAGE = "web: gunicorn --config web/gunicorn_conf.py 'web.app:create_app()'"
AT_THE_GATE = (
    "web: sh -c 'until [ -e $START_GATE ]; do sleep 0.02; done; echo is open;"
    " exec python -m http.server --bind 127.0.0.1 $PORT'"
)


# Processes that a look at them does not disturb.
LOOKED_AT = (
    AT_THE_GATE,
    FLOWER,
    "worker-llm: sh -c 'echo at work; sleep 0.2; exit 3'",
    "worker-embed: sh -c 'sleep 600 & echo child $!; wait'",
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    """A supervisor that has announced its page, for tests that do not stop it."""
    folder = tmp_path_factory.mktemp("running")
    with supervised(folder, *LOOKED_AT) as supervisor:
        data = folder / ".data"
        data.mkdir(mode=0o711)
        (data / "ready").touch()  # as an earlier start has left it
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("Ctrl-C stops everything in order.")
        yield supervisor


def test_the_page_is_announced_when_it_answers(running: Supervised) -> None:
    page = f"http://127.0.0.1:{running.environment['PORT']}"
    assert f"Throughline:   {page}\n" in running.output
    with urllib.request.urlopen(page) as answer:
        assert answer.status == 200


def test_the_gate_opens_after_the_migrations(running: Supervised) -> None:
    assert running.output.index("| migrated") < running.output.index("is open")


def test_a_process_that_dies_is_started_again(running: Supervised) -> None:
    running.wait_for("at work", times=3)
    assert "worker-llm ended with 3; it starts again in 0.5 s" in running.output
    assert "worker-llm ended with 3; it starts again in 1 s" in running.output


def test_a_process_killed_by_a_signal_takes_its_own_children_with_it(running: Supervised) -> None:
    running.wait_for("child ")
    grandchild = int(running.output.split("child ")[1].split()[0])
    os.kill(running.pid_of("worker-embed"), signal.SIGKILL)
    running.wait_for("worker-embed ended by SIGKILL")
    wait_until_gone([grandchild])


def test_a_second_start_says_who_is_running(running: Supervised) -> None:
    first = running.started[0]
    second = running.start(**NO_SERVICES)
    assert second.wait(60) == 1
    where = f"process {first.pid}, http://127.0.0.1:{running.environment['PORT']}"
    assert f"running already ({where})" in running.output
    assert first.poll() is None


def test_flowers_password_is_made_and_kept_private(running: Supervised) -> None:
    running.wait_for("characters")
    path = running.folder / ".data/flower-password"
    password = path.read_text().strip()
    assert path.stat().st_mode & 0o777 == 0o600
    assert f"{len(password)} characters" in running.output
    assert f"user and password: in {path}" in running.output
    assert password.partition(":")[2] not in running.output


def test_the_console_says_in_eight_lines_what_was_started_and_where_the_page_is(
    tmp_path: Path,
) -> None:
    noisy = "worker: sh -c 'for i in $(seq 200); do echo noise; done; sleep 600'"
    with supervised(tmp_path, WEB, noisy, FLOWER) as supervisor:
        supervisor.start_quietly(**NO_SERVICES)
        supervisor.wait_for("Ctrl-C stops everything in order.")
        log = tmp_path / ".data/logs/worker.log"
        wait_for(lambda: log.exists() and log.read_text().count("noise") == 200)
        lines = supervisor.output.splitlines()
        assert "Starting web, worker, flower." in lines
        assert f"Throughline:   http://127.0.0.1:{supervisor.environment['PORT']}" in lines
        assert len(lines) <= 8
        assert "noise" not in supervisor.output


def test_the_last_lines_of_a_process_that_fails_are_shown_with_it(tmp_path: Path) -> None:
    failing = "worker: sh -c 'seq 200; echo no such table >&2; exit 3'"
    with supervised(tmp_path, WEB, failing) as supervisor:
        supervisor.start_quietly(**NO_SERVICES)
        supervisor.wait_for("worker ended with 3; it starts again in 0.5 s")
        lines = supervisor.output[: supervisor.output.index("worker ended with 3")].splitlines()
        assert lines[-2:] == ["worker      | 200", "worker      | no such table"]
        assert "worker      | 150" not in lines


def test_what_failing_migrations_print_is_shown(tmp_path: Path) -> None:
    with supervised(tmp_path, AT_THE_GATE) as supervisor:
        (tmp_path / "migrations.py").write_text("raise SystemExit('no such table')")
        assert supervisor.start_quietly(**NO_SERVICES).wait(60) == 1
        assert "migrate     | no such table" in supervisor.output


SLOW_MIGRATIONS = """
open("may-end").read()  # of a pipe: until somebody writes to it
print("migrated")
"""


def test_the_page_answers_nobody_before_the_gate_opens_and_then_who_has_its_printed_address(
    tmp_path: Path,
) -> None:
    """On an IPv6 address, where this machine has one."""
    has_ipv6 = socket.has_dualstack_ipv6()
    with supervised(tmp_path, PAGE) as supervisor:
        (tmp_path / "web").symlink_to(PROJECT / "web")
        (tmp_path / "migrations.py").write_text(SLOW_MIGRATIONS)
        os.mkfifo(tmp_path / "may-end")
        supervisor.start(**NO_SERVICES, LOCAL_TOKEN="", BIND="::1" if has_ipv6 else "127.0.0.1")
        supervisor.wait_for("Booting worker")  # it loads meanwhile
        host = "[::1]" if has_ipv6 else "127.0.0.1"
        page = f"http://{host}:{supervisor.environment['PORT']}"
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(f"{page}/healthz", timeout=5)
        assert "migrated" not in supervisor.output
        (tmp_path / "may-end").write_text("")
        assert httpx.get(f"{page}/healthz", timeout=60).status_code == 200
        supervisor.wait_for("Ctrl-C stops everything in order.")
        assert "migrated" in supervisor.output
        token = (tmp_path / ".data" / "local-token").read_text().strip()
        assert f"Throughline:   {page}/?token={token}\n" in supervisor.output
        assert httpx.get(page, timeout=60).status_code == 401
        assert httpx.get(f"{page}/api/v1/agents", timeout=60).status_code == 401
        with httpx.Client(follow_redirects=True, timeout=60) as browser:
            assert browser.get(f"{page}/?token={token}").status_code == 200
            assert browser.get(f"{page}/api/v1/agents").status_code == 200


WAITS_FOR_THE_PAGE = """
import os, time, urllib.request
until = time.monotonic() + 60
while True:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{os.environ['PORT']}").read()
        break
    except OSError:
        if time.monotonic() > until:
            raise SystemExit("no page")
        time.sleep(0.05)
print("migrated")
"""


def test_the_page_loads_while_migrations_find_nothing_to_do(
    tmp_path: Path, database_url: str
) -> None:
    with supervised(tmp_path, AT_THE_GATE) as supervisor:
        (tmp_path / "migrations.py").write_text(WAITS_FOR_THE_PAGE)
        supervisor.start(**NO_SERVICES | {"DATABASE_URL": database_url})
        supervisor.wait_for("Ctrl-C stops everything in order.")
        announced = supervisor.output.index("Throughline:")
        assert supervisor.output.index("migrate     | migrated") < announced


def test_stops_are_in_order_and_the_next_start_has_the_same_password(tmp_path: Path) -> None:
    names = ("worker-llm", "worker-embed", "beat")
    sleepers = (f"{name}: {SLEEPER}" for name in names)
    with supervised(tmp_path, WEB, FLOWER, *sleepers) as supervisor:
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("characters")
        password = (tmp_path / ".data/flower-password").read_text()
        wait_for(lambda: len(supervisor.pids()) == 5, explain=lambda: supervisor.output)
        pids = supervisor.pids()
        # Ctrl-C stops all, and leaves nothing.
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert not any(map(find_identity, pids))
        assert stages_of_stop(supervisor) == STAGES
        # The password is made once.
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("characters", times=2)
        assert (tmp_path / ".data/flower-password").read_text() == password
        # SIGTERM is an ordered stop, too.
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert stages_of_stop(supervisor)[len(STAGES)] == "web"


def stages_of_stop(supervisor: Supervised) -> list[str]:
    lines = supervisor.output.splitlines()
    return [line.split("| stopping ")[1] for line in lines if "| stopping " in line]


def test_a_second_ctrl_c_hurries(tmp_path: Path) -> None:
    stubborn = "worker: sh -c \"trap '' TERM; echo deaf; while :; do sleep 1; done\""
    with supervised(tmp_path, WEB, stubborn) as supervisor:
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("deaf")
        pids = supervisor.pids()
        process.send_signal(signal.SIGINT)
        supervisor.wait_for("stopping worker")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0  # a worker has 40 s
        assert supervisor.output.count("worker is killed") == 1
        assert not any(map(find_identity, pids))


def test_ctrl_c_while_starting_stops_without_a_traceback(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        (tmp_path / "migrations.py").write_text("import time; print('long'); time.sleep(600)")
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("| long")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert "Traceback" not in supervisor.output


def test_a_port_in_use_is_told_by_the_variables_name(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, f"flower: {SLEEPER}") as supervisor, socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert supervisor.start(**NO_SERVICES, PORT=port).wait(60) == 1
        assert f"\nPORT={port}: " in "\n" + supervisor.output
        assert supervisor.start(**NO_SERVICES, FLOWER_PORT=port).wait(60) == 1
        assert f"\nFLOWER_PORT={port}: " in supervisor.output
        assert "migrated" not in supervisor.output


def test_failing_migrations_end_the_start(tmp_path: Path) -> None:
    with supervised(tmp_path, AT_THE_GATE) as supervisor:
        (tmp_path / "migrations.py").write_text("raise SystemExit('no such table')")
        assert supervisor.start(**NO_SERVICES).wait(60) == 1
        assert "migrate     | no such table" in supervisor.output
        assert "migrate stopped the start: its lines say why." in supervisor.output
        assert "is open" not in supervisor.output


def test_a_dotenv_file_and_a_formation_are_obeyed(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, "worker: sh -c 'echo $GREETING $$; sleep 600'") as supervisor:
        (tmp_path / ".env").write_text("GREETING=hello\nFORMATION=web=0,worker=2\n")
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("worker.1    | hello")
        supervisor.wait_for("worker.2    | hello")
        assert not (tmp_path / ".data/pids/web.json").exists()


def test_a_bad_setting_ends_the_start_with_its_name(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        assert supervisor.start(**NO_SERVICES, PORT="eighty").wait(60) == 1
        assert supervisor.output.startswith("PORT: ")


def test_without_a_procfile_it_says_where_to_start(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        (tmp_path / "Procfile").unlink()
        assert supervisor.start(**NO_SERVICES).wait(60) == 1
        assert "start in the project's folder" in supervisor.output
