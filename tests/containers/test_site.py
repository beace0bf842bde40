"""One site in containers: upgraded, scaled, killed, emptied and restored, while people talk.

The tests are one story and build on one another, in this order.
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from shared.maintenance.backup.folder import DUMP, MANIFEST, SECRETS
from tests.containers.engine import call
from tests.containers.people import NAMES, People, sign_in
from tests.containers.stack import FLOWER_PORT, Stack
from tests.waiting import wait_for

CAUGHT_UP_S = 180
BACK_S = 120
ROUNDS = 17  # of each of three people: 51
COUNTS = {
    "messages": "SELECT count(*) FROM messages",
    "facts": "SELECT count(*) FROM structured_facts",
    "episodes": "SELECT count(*) FROM episodic_memory WHERE status = 'completed'",
    "summaries": "SELECT count(*) FROM memory WHERE status = 'completed'",
    "vectors": "SELECT count(*) FROM message_embeddings",
}


@pytest.fixture(autouse=True)
def _story(request: pytest.FixtureRequest) -> None:
    if request.session.testsfailed:
        pytest.skip("an earlier part of the story failed")


def verify(stack: Stack, *, quiet: bool = False) -> str:
    """The last line of `throughline verify`. Raises `AssertionError` for a breach."""
    return stack.in_web("verify", *(["--quiet"] if quiet else [])).strip().splitlines()[-1]


def is_caught_up(stack: Stack) -> bool:
    try:
        verify(stack, quiet=True)
    except AssertionError:
        return False
    return True


def wait_for_quiet(stack: Stack) -> dict[str, int]:
    """Wait until all jobs are done and everything has its vector. Returns the counts."""
    wait_for(lambda: is_caught_up(stack), CAUGHT_UP_S, lambda: stack.in_web("jobs"))
    return count(stack)


def count(stack: Stack) -> dict[str, int]:
    return {name: int(stack.query(sql)) for name, sql in COUNTS.items()}


def find_problems(stack: Stack) -> list[str]:
    """The names of the doctor's checks in `web` that found something."""
    [web] = stack.containers("web", everything=False)
    words = ("exec", web, "python", "-m", "throughline", "doctor", "--json")
    done = subprocess.run([*stack.engine.command, *words], capture_output=True, check=False)
    checks = json.loads(done.stdout)["checks"]
    return [check["check"] for check in checks if check["status"] == "problem"]


def test_people_use_the_earlier_version(earlier_stack: Stack, people: People) -> None:
    for thread in people.talk(3):
        thread.join()
    assert people.lost() == []


def test_an_upgrade_loses_nothing_while_people_talk(
    earlier_stack: Stack, stack: Stack, people: People, measured: dict[str, str]
) -> None:
    call([str(stack.folder / "bin/compose-secrets")])
    threads = people.talk(ROUNDS)
    began = time.monotonic()
    stack.up(worker_llm=3)
    measured["upgrade, until all is healthy"] = f"{time.monotonic() - began:.0f} s"
    for thread in threads:
        thread.join()
    assert people.lost() == []
    assert len(stack.containers("worker-llm", everything=False)) == 3
    images = {
        stack.engine.inspect(container)["Config"]["Image"] for container in stack.containers("web")
    }
    assert all(image.endswith(stack_image(stack)) for image in images)


def stack_image(stack: Stack) -> str:
    text = (stack.folder / "docker-compose.yml").read_text()
    return text.split("  image: throughline", 1)[1].splitlines()[0]


def test_memory_is_made_of_what_was_said(
    stack: Stack, people: People, measured: dict[str, str]
) -> None:
    wait_for_quiet(stack)
    for person in people.people:
        assert person.name in {fact.value for fact in person.site.facts()}
        assert list(person.site.episodes())
        assert person.site.search("boats by the river").messages
    measured["after the upgrade"] = json.dumps(count(stack))


def test_people_sign_in_and_operators_see_the_jobs(stack: Stack) -> None:
    sign_in(stack.url)
    flower = f"http://127.0.0.1:{FLOWER_PORT}/flower/"
    assert httpx.get(flower, timeout=60).status_code == 401
    assert (
        httpx.get(flower, auth=("admin", "flowers"), follow_redirects=True, timeout=60).status_code
        == 200
    )


def test_the_doctor_names_what_is_wrong_and_nothing_else(stack: Stack) -> None:
    assert find_problems(stack) == []
    stack.compose("stop", "worker-embed")
    assert find_problems(stack) == ["workers"]
    stack.compose("start", "worker-embed")
    stack.wait_until_healthy("worker-embed")


@pytest.mark.parametrize(
    "service", ["web", "worker-llm", "worker-embed", "beat", "flower", "redis"]
)
def test_a_container_can_do_nothing_but_its_work(stack: Stack, service: str) -> None:
    """What the kernel says of its first process, and of its root."""
    container = stack.containers(service, everything=False)[0]
    status = stack.engine.run("exec", container, "cat", "/proc/1/status")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {fields[name] for name in ("CapEff", "CapPrm", "CapBnd", "CapInh")} == {"0" * 16}
    assert fields["NoNewPrivs"] == "1"
    assert "0" not in fields["Uid"].split()
    with pytest.raises(AssertionError, match="Read-only"):
        stack.engine.run("exec", container, "sh", "-c", "echo x > /x")


def test_redis_asks_for_its_password(stack: Stack) -> None:
    [redis] = stack.containers("redis", everything=False)
    assert "NOAUTH" in stack.engine.run("exec", redis, "valkey-cli", "keys", "*")


def test_secrets_are_in_no_environment(stack: Stack) -> None:
    folder = stack.folder / "deploy/secrets"
    secrets = {path.read_text().strip() for path in folder.iterdir()} - {""}
    for container in stack.containers(everything=False):
        environment = json.dumps(stack.engine.inspect(container)["Config"]["Env"])
        assert [secret for secret in secrets if secret in environment] == []


@pytest.mark.parametrize("service", ["worker-llm", "web"])
def test_a_killed_container_comes_back_and_nothing_is_lost(
    stack: Stack, people: People, service: str, measured: dict[str, str]
) -> None:
    before = stack.containers(service, everything=False)
    message_count = people.text_count
    threads = people.talk(4)
    wait_for(lambda: people.text_count > message_count)
    began = time.monotonic()
    stack.kill(before[0])
    if service == "web":
        wait_for(stack.is_ready, BACK_S, lambda: stack.log("web"))
        measured["web after kill -9, ready again"] = f"{time.monotonic() - began:.1f} s"
    for thread in threads:
        thread.join()
    wait_for(lambda: len(stack.containers(service, everything=False)) == len(before), BACK_S)
    stack.wait_until_healthy(service)
    wait_for_quiet(stack)
    assert people.lost() == []


def test_a_restarted_postgres_loses_nothing(
    stack: Stack, people: People, measured: dict[str, str]
) -> None:
    threads = people.talk(4)
    [postgres] = stack.containers("postgres", everything=False)
    began = time.monotonic()
    stack.engine.run("restart", "--time", "20", postgres)
    wait_for(stack.is_ready, BACK_S, lambda: stack.log("web"))
    measured["Postgres restarted, ready again"] = f"{time.monotonic() - began:.1f} s"
    for thread in threads:
        thread.join()
    wait_for_quiet(stack)
    assert people.lost() == []


def test_the_data_is_there_after_down_and_up(stack: Stack, people: People) -> None:
    before = wait_for_quiet(stack)
    stack.down()
    assert stack.containers() == []
    stack.up()
    assert count(stack) == before
    assert people.lost() == []


def test_a_backup_restores_everything(stack: Stack, people: People, tmp_path: Path) -> None:
    """By the commands of docs/containers.md."""
    (stack.folder / "deploy/secrets/backup_passphrase").write_text("walks on the moon")
    with (stack.folder / ".env").open("a") as file:
        file.write("BACKUP_FOLDER=/backups\n")
    stack.compose("--profile", "backup", "up", "-d", "--no-build", "worker-backup")
    stack.wait_until_healthy("worker-backup")
    before = wait_for_quiet(stack)
    [worker] = stack.containers("worker-backup", everything=False)
    stack.engine.run("exec", worker, "python", "-m", "throughline", "backup", "/backups")
    stack.engine.run("cp", f"{worker}:/backups/.", str(tmp_path))
    [dump] = tmp_path.glob(f"throughline-*/{DUMP}")
    assert {path.name for path in dump.parent.iterdir()} == {DUMP, MANIFEST, SECRETS}
    [postgres] = stack.containers("postgres", everything=False)
    for thread in people.talk(1):  # after the backup: this is not in it
        thread.join()
    stack.compose("stop", "web", "worker-llm", "worker-embed", "beat", "flower")
    stack.engine.run("exec", postgres, "dropdb", "-U", "throughline", "--force", "throughline")
    stack.engine.run("exec", postgres, "createdb", "-U", "throughline", "throughline")
    restore = ("pg_restore", "-U", "throughline", "--no-owner", "--no-privileges")
    with dump.open("rb") as file:
        command = [*stack.engine.command, "exec", "-i", postgres, *restore, "-d", "throughline"]
        call(command, stdin=file)
    stack.up()
    assert count(stack) == before
    for person in people.people:
        person.texts.pop()
    assert people.lost() == []


def test_at_the_end_every_invariant_holds(
    stack: Stack, people: People, measured: dict[str, str]
) -> None:
    for thread in people.talk(2):
        thread.join()
    wait_for_quiet(stack)
    measured["at the end"] = json.dumps(count(stack))
    measured["said, failed replies, lost"] = (
        f"{people.text_count}, {people.failed}, {people.lost()}"
    )
    measured["verify --quiet"] = verify(stack, quiet=True)
    assert people.lost() == []
    assert int(stack.query("SELECT count(*) FROM conversations")) == len(NAMES)
