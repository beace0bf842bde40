from __future__ import annotations

import os
import signal
import socket
import urllib.request
from pathlib import Path

import httpx
import pytest

from supervisor.process_identity import find_identity
from tests.e2e.supervised import NO_SERVICES, PROJECT, WEB, supervised, wait_until, wait_until_gone
from tests.waiting import PATIENCE_S

SLEEPER = "sleep 600"
PAGE = "web: gunicorn --config web/gunicorn_conf.py 'web.app:create_app()'"
AT_THE_GATE = (
    "web: sh -c 'until [ -e $START_GATE ]; do sleep 0.02; done; echo is open;"
    " exec python -m http.server --bind 127.0.0.1 $PORT'"
)


def test_the_page_is_announced_when_it_answers(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, f"flower: {SLEEPER}") as supervisor:
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("Ctrl-C stops everything in order.")
        page = f"http://127.0.0.1:{supervisor.environment['PORT']}"
        assert f"Throughline:   {page}\n" in supervisor.said
        with urllib.request.urlopen(page) as answer:
            assert answer.status == 200


def test_the_address_that_is_printed_lets_its_reader_in_and_nobody_else(tmp_path: Path) -> None:
    with supervised(tmp_path, PAGE) as supervisor:
        (tmp_path / "web").symlink_to(PROJECT / "web")
        supervisor.start(**NO_SERVICES, LOCAL_TOKEN="")
        supervisor.wait_for("Ctrl-C stops everything in order.")
        page = f"http://127.0.0.1:{supervisor.environment['PORT']}"
        token = (tmp_path / ".data" / "local-token").read_text().strip()
        assert f"Throughline:   {page}/?token={token}\n" in supervisor.said
        assert httpx.get(page, timeout=60).status_code == 401
        assert httpx.get(f"{page}/api/agents", timeout=60).status_code == 401
        with httpx.Client(follow_redirects=True) as browser:
            assert browser.get(f"{page}/?token={token}").status_code == 200
            assert browser.get(f"{page}/api/agents").status_code == 200


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_the_page_is_served_on_an_ipv6_address(tmp_path: Path) -> None:
    with supervised(tmp_path, PAGE) as supervisor:
        (tmp_path / "web").symlink_to(PROJECT / "web")
        supervisor.start(**NO_SERVICES, BIND="::1")
        supervisor.wait_for("Ctrl-C stops everything in order.")
        page = f"http://[::1]:{supervisor.environment['PORT']}"
        assert f"Throughline:   {page}\n" in supervisor.said
        assert httpx.get(f"{page}/healthz", timeout=60).status_code == 200


def test_the_gate_opens_after_the_migrations(tmp_path: Path) -> None:
    with supervised(tmp_path, AT_THE_GATE) as supervisor:
        data = tmp_path / ".data"
        data.mkdir(mode=0o711)
        (data / "ready").touch()  # as an earlier start has left it
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("is open")
        assert supervisor.said.index("migrate     | migrated") < supervisor.said.index("is open")


SLOW_MIGRATIONS = """
open("may-end").read()  # of a pipe: until somebody writes to it
print("migrated")
"""


def test_the_page_answers_nobody_before_the_gate_opens(tmp_path: Path) -> None:
    with supervised(tmp_path, PAGE) as supervisor:
        (tmp_path / "web").symlink_to(PROJECT / "web")
        (tmp_path / "migrations.py").write_text(SLOW_MIGRATIONS)
        os.mkfifo(tmp_path / "may-end")
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("Booting worker")  # it loads meanwhile
        page = f"http://127.0.0.1:{supervisor.environment['PORT']}/healthz"
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(page, timeout=5)
        (tmp_path / "may-end").write_text("")
        assert httpx.get(page, timeout=60).status_code == 200
        assert "migrated" in supervisor.said


WAITS_FOR_THE_PAGE = """
import os
import httpx
from tests.waiting import wait_for
wait_for(lambda: httpx.get(f"http://127.0.0.1:{os.environ['PORT']}"))
print("migrated")
"""


def test_the_page_loads_while_migrations_find_nothing_to_do(
    tmp_path: Path, database_url: str
) -> None:
    with supervised(tmp_path, AT_THE_GATE) as supervisor:
        (tmp_path / "migrations.py").write_text(WAITS_FOR_THE_PAGE)
        supervisor.start(**NO_SERVICES | {"DATABASE_URL": database_url})
        supervisor.wait_for("Ctrl-C stops everything in order.")
        announced = supervisor.said.index("Throughline:")
        assert supervisor.said.index("migrate     | migrated") < announced


def test_flowers_password_is_made_once_and_kept_private(tmp_path: Path) -> None:
    flower = "flower: sh -c 'echo ${#FLOWER_BASIC_AUTH} characters; sleep 600'"
    with supervised(tmp_path, WEB, flower) as supervisor:
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("characters")
        path = tmp_path / ".data/flower-password"
        made = path.read_text().strip()
        assert path.stat().st_mode & 0o777 == 0o600
        assert f"{len(made)} characters" in supervisor.said
        assert f"user and password: in {path}" in supervisor.said
        supervisor.stop()
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for(f"{len(made)} characters", times=2)
        assert path.read_text().strip() == made
        assert made.partition(":")[2] not in supervisor.said


def test_a_process_that_dies_is_started_again(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, "worker: sh -c 'echo at work; sleep 0.2; exit 3'") as supervisor:
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("at work", times=3)
        assert "worker ended with 3; it starts again in 0.5 s" in supervisor.said
        assert "worker ended with 3; it starts again in 1 s" in supervisor.said


def test_a_process_killed_by_a_signal_takes_its_own_children_with_it(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, "worker: sh -c 'sleep 600 & echo child $!; wait'") as supervisor:
        supervisor.start(**NO_SERVICES)
        supervisor.wait_for("child ")
        grandchild = int(supervisor.said.split("child ")[1].split()[0])
        os.kill(supervisor.pid_of("worker"), signal.SIGKILL)
        supervisor.wait_for("worker ended by SIGKILL")
        wait_until_gone([grandchild])


def test_ctrl_c_stops_all_in_order_and_leaves_nothing(tmp_path: Path) -> None:
    names = ("flower", "worker-llm", "worker-embed", "beat")
    with supervised(tmp_path, WEB, *(f"{name}: {SLEEPER}" for name in names)) as supervisor:
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("Ctrl-C stops")
        wait_until(lambda: len(supervisor.pids()) == 5, lambda: "five processes")
        pids = supervisor.pids()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert not any(map(find_identity, pids))
        stages = [
            line.split("| stopping ")[1]
            for line in supervisor.said.splitlines()
            if "| stopping " in line
        ]
        assert stages == ["web", "beat", "worker-llm, worker-embed", "flower"]


def test_sigterm_is_an_ordered_stop_too(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("Ctrl-C stops")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert "stopping web" in supervisor.said


def test_a_second_ctrl_c_hurries(tmp_path: Path) -> None:
    stubborn = "worker: sh -c \"trap '' TERM; echo deaf; while :; do sleep 1; done\""
    with supervised(tmp_path, WEB, stubborn) as supervisor:
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("deaf")
        pids = supervisor.pids()
        process.send_signal(signal.SIGINT)
        supervisor.wait_for("stopping worker")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
        assert supervisor.said.count("worker is killed") == 1
        assert not any(map(find_identity, pids))


def test_ctrl_c_while_starting_stops_without_a_traceback(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        (tmp_path / "migrations.py").write_text("import signal; print('long'); signal.pause()")
        process = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("| long")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert "Traceback" not in supervisor.said


def test_a_second_start_says_who_is_running(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        first = supervisor.start(**NO_SERVICES)
        supervisor.wait_for("Ctrl-C stops")
        second = supervisor.start(**NO_SERVICES)
        assert second.wait(60) == 1
        where = f"process {first.pid}, http://127.0.0.1:{supervisor.environment['PORT']}"
        assert f"running already ({where})" in supervisor.said
        assert first.poll() is None


def test_a_port_in_use_is_told_by_the_variables_name(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB, f"flower: {SLEEPER}") as supervisor, socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert supervisor.start(**NO_SERVICES, PORT=port).wait(60) == 1
        assert f"\nPORT={port}: " in "\n" + supervisor.said
        assert supervisor.start(**NO_SERVICES, FLOWER_PORT=port).wait(60) == 1
        assert f"\nFLOWER_PORT={port}: " in supervisor.said
        assert "migrated" not in supervisor.said


def test_failing_migrations_end_the_start(tmp_path: Path) -> None:
    with supervised(tmp_path, AT_THE_GATE) as supervisor:
        (tmp_path / "migrations.py").write_text("raise SystemExit('no such table')")
        assert supervisor.start(**NO_SERVICES).wait(60) == 1
        assert "migrate     | no such table" in supervisor.said
        assert "could not be brought up to date" in supervisor.said
        assert "is open" not in supervisor.said


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
        assert supervisor.said.startswith("PORT: ")


def test_without_a_procfile_it_says_where_to_start(tmp_path: Path) -> None:
    with supervised(tmp_path, WEB) as supervisor:
        (tmp_path / "Procfile").unlink()
        assert supervisor.start(**NO_SERVICES).wait(60) == 1
        assert "start in the project's folder" in supervisor.said
