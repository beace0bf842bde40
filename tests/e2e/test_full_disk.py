"""A whole site whose disk is full: it stays, says so, and heals when there is room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass

import psycopg2
import pytest
from click.testing import CliRunner

from shared.maintenance.verify import find_breaches
from shared.services import Services
from shared.settings import read_settings
from tests.e2e.marked import Marked
from tests.e2e.supervised import NO_SERVICES, WEB, supervised, supervised_site
from tests.exports import EXPORT_S, copy_export
from tests.fakes.openai_server import running_openai_server
from tests.services import private_folder
from tests.small_disk import SmallDisk, small_disk
from tests.waiting import wait_for
from throughline.__main__ import main

START_S = 90
HEAL_S = 60
NAMES = {"postgres", "valkey", "web", "worker-llm", "worker-embed", "beat", "flower"}
WAL = "SELECT pg_logical_emit_message(false, 'ballast', repeat('x', 4000000))"
FILE = {"Content-Type": "application/octet-stream"}


@dataclass
class FullSite:
    site: Marked
    data: SmallDisk
    scratch: SmallDisk  #: of temporary files

    def refusal(self) -> dict[str, object]:
        """What is said of a message that cannot be kept."""
        answer = self.site.chat("No room for this")
        return answer.json()["error"] if answer.status_code == 503 else {}

    def pids(self) -> set[str]:
        folder = self.site.supervisor.folder / ".data/pids"
        return {path.stem for path in folder.glob("*.json")}

    def heal(self) -> None:
        self.data.clear()
        supervisor = self.site.supervisor
        wait_for(lambda: self.site.chat("Room again").is_success, HEAL_S, lambda: supervisor.output)
        wait_for(lambda: self.pids() == NAMES, HEAL_S, lambda: supervisor.output)
        assert supervisor.started[-1].poll() is None


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullSite]:
    with private_folder() as folder, running_openai_server() as model, ExitStack() as stack:
        data = stack.enter_context(
            small_disk(folder / ".data", "size=320m", "nr_inodes=8000", "mode=711")
        )
        scratch = stack.enter_context(small_disk(folder / "tmp", "size=2m", "mode=1777"))
        copy_export(tmp_path_factory.mktemp("export"), data.folder)
        supervisor = stack.enter_context(supervised_site(folder))
        supervisor.start(
            LLM_MODEL="fake-model",
            LLM_API_BASE=model.base_url,
            LLM_API_KEY="sk-test",
            LLM_TRIES="1",
            LEASE_S="10",
            SWEEP_EVERY_S="1",
            WEB_CONCURRENCY="2",
            TMPDIR=str(scratch.folder),
        )
        site = Marked(supervisor, model)
        full = FullSite(site, data, scratch)
        wait_for(lambda: site.ask("GET", "/readyz").is_success, START_S, lambda: supervisor.output)
        wait_for(lambda: full.pids() == NAMES, START_S, lambda: supervisor.output)
        wait_for(lambda: "encoder.loaded" in supervisor.output, EXPORT_S, lambda: supervisor.output)
        assert site.chat("Hello").is_success
        yield full


def test_a_start_on_a_full_disk_ends_with_a_sentence() -> None:
    with private_folder() as folder, small_disk(folder / ".data", "size=1m", "mode=711") as disk:
        disk.fill()
        with supervised(folder, WEB) as supervisor:
            assert supervisor.start(**NO_SERVICES).wait(START_S) == 1
            last_line = supervisor.output.splitlines()[-1]
            assert "No space left on device" in last_line
            assert last_line.endswith("Make room, and start again.")
            assert "Traceback" not in supervisor.output


def test_while_processes_die_on_a_disk_without_inodes_the_site_goes_on(full: FullSite) -> None:
    full.data.use_up_inodes()
    supervisor = full.site.supervisor
    for name in ("beat", "worker-llm"):
        supervisor.kill(name)
        full.data.use_up_inodes()
    assert full.site.ask("GET", "/healthz").is_success
    full.heal()


def test_a_postgres_that_has_no_room_for_its_log_comes_back_by_itself(full: FullSite) -> None:
    supervisor = full.site.supervisor
    wait_for(lambda: full_for_postgres(full), START_S, lambda: supervisor.output)
    supervisor.wait_for("postgres ended with 1; it starts again in 2 s")
    refusal = wait_for(full.refusal)
    assert str(refusal["message"]).endswith(".")
    assert "STATEMENT" not in supervisor.output
    assert full.site.ask("GET", "/").is_success
    for name in ("valkey", "worker-embed"):
        supervisor.kill(name)
    full.heal()


def full_for_postgres(full: FullSite) -> bool:
    """Fill the disk, and write until the server has crashed."""
    full.data.fill()
    with suppress(psycopg2.Error), closing(psycopg2.connect(full.site.database_url)) as connection:
        with connection.cursor() as cursor:
            for _ in range(10):
                cursor.execute(WAL)
        return False
    return "PANIC" in full.site.supervisor.output


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/v1/attachments?name=notes.txt", FILE),
        ("/api/v1/imports", {"Content-Type": "application/zip"}),
        ("/v1/chat/completions", {"Content-Type": "application/json"}),
    ],
)
def test_an_upload_without_room_for_it_is_refused_and_leaves_nothing(
    full: FullSite, path: str, headers: dict[str, str]
) -> None:
    files = set(full.scratch.folder.iterdir())
    full.scratch.fill()
    content = b"PK\x03\x04" + b"word " * 200_000
    answer = full.site.ask("POST", path, content=content, headers=headers)
    full.scratch.clear()
    assert answer.status_code == 503, answer.text
    problem = answer.json().get("error", answer.json())
    assert "no room" in problem.get("message", problem.get("detail"))
    wait_for(lambda: set(full.scratch.folder.iterdir()) == files)


def test_an_export_without_room_for_it_leaves_the_earlier_one(
    full: FullSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = full.site.supervisor.folder
    monkeypatch.setenv("DATA_DIR", str(folder / ".data"))
    for name in ("DATABASE_URL", "REDIS_URL"):  # which the command sets for its own process
        monkeypatch.setenv(name, "")
    path = full.scratch.folder / "all.json"
    path.write_text("the earlier one")
    files = {*full.scratch.folder.iterdir()}
    full.scratch.fill()
    command = ["user", "export", "local", str(path)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert "No space left on device" in result.output
    assert path.read_text() == "the earlier one"
    full.scratch.clear()
    assert {*full.scratch.folder.iterdir()} == files
    assert CliRunner().invoke(main, command).exit_code == 0
    assert "Hello" in path.read_text()


def test_afterwards_nothing_is_broken(full: FullSite) -> None:
    """The last test, after all that happened to the site."""
    redis = f"unix://{full.site.supervisor.folder}/.data/run/valkey.sock?db=0"
    product = Services(read_settings(database_url=full.site.database_url, redis_url=redis))
    try:
        wait_for(lambda: not find_breaches(product.database, product.settings, quiet=False))
    finally:
        product.close()
    assert "Traceback" not in "\n".join(
        line for line in full.site.supervisor.output.splitlines() if line.startswith("throughline ")
    )
