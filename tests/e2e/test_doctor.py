"""A real site is broken in ten ways. `doctor` names each, and nothing else."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg2
import pytest
from click.testing import CliRunner

from shared.maintenance.doctor import examine
from shared.settings import read_settings
from shared.settings.setting_sources import Variables, read_env_text
from tests.e2e.conftest import QUICK
from tests.e2e.site import Site, free_port, running_site
from tests.exports import EXPORT_S
from tests.fakes.openai_server import running_openai_server
from tests.services import Services, as_application, owner_url, private_folder
from tests.small_disk import small_disk
from tests.waiting import wait_for
from throughline.__main__ import main

#: A database of Valkey that no other site uses.
REDIS = 7
KEY = "sk-a-key-that-nobody-may-read"

Problems = Callable[..., dict[str, str]]


@pytest.fixture(scope="module")
def site(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    redis_url = services.empty_redis(REDIS)
    with services.databases.lend() as url:
        environment = {"DATABASE_URL": as_application(url), "REDIS_URL": redis_url} | QUICK
        names = ("web", "worker-llm", "worker-embed", "beat")
        with running_site(environment, tmp_path_factory.mktemp("doctor"), *names) as site:
            yield site


@pytest.fixture(scope="module")
def problems(site: Site) -> Problems:
    """What is found, by check. Arguments replace settings of the site, its TZ and its `.env`.

    Nothing is, until a test breaks something. It heals that again.
    """

    def find(zone: str = "", env_file: str = "", **changes: object) -> dict[str, str]:
        values = {name.lower(): value for name, value in site.environment.items()}
        settings = read_settings(**(values | changes))
        variables = Variables(environment={"TZ": zone}, env_file=read_env_text(env_file))
        reports = examine(settings, variables)
        assert all(report.advice for report in reports if report.status == "problem")
        return {report.check: report.says for report in reports if report.status == "problem"}

    wait_for(lambda: not find(), EXPORT_S, lambda: str(find()))
    return find


def test_a_full_disk_is_named(problems: Problems) -> None:
    with private_folder() as folder, small_disk(folder / "data", "size=8m", "mode=711") as disk:
        assert problems(data_dir=disk.folder).keys() == {"disk"}


def test_a_role_that_is_refused_is_named(problems: Problems, site: Site) -> None:
    url = site.environment["DATABASE_URL"].replace("throughline_app@", "nobody@")
    assert problems(database_url=url) == {"database": "Postgres cannot be used: password_refused"}


def test_backups_that_no_worker_makes_are_named(problems: Problems, tmp_path: Path) -> None:
    assert problems(backup_folder=str(tmp_path)) == {"workers": "no worker-backup answers"}


def test_a_missing_extension_is_named(problems: Problems, services: Services) -> None:
    with services.databases.copy() as url:
        execute(url, "DROP EXTENSION vector CASCADE")
        assert problems(database_url=as_application(url)).keys() == {"extension"}


def test_an_old_schema_is_named(problems: Problems, services: Services) -> None:
    with services.databases.copy() as url:
        execute(url, "UPDATE alembic_version SET version_num = '0001'")
        assert problems(database_url=as_application(url)).keys() == {"schema"}


def test_a_lost_redis_is_named(problems: Problems) -> None:
    assert problems(redis_url="redis://127.0.0.1:1/0") == {"redis": "Redis cannot be reached"}


def test_a_wrong_clock_zone_is_named(problems: Problems) -> None:
    assert problems(zone="Mars/Olympus_Mons").keys() == {"zone"}


def test_wrong_rights_are_named(problems: Problems, site: Site) -> None:
    secret = Path(site.environment["DATA_DIR"]) / "secret-key"
    secret.write_text("x" * 40)
    secret.chmod(0o644)
    assert problems() == {"files": "other accounts may read secret-key in DATA_DIR"}
    secret.chmod(0o600)
    assert problems() == {}


def test_a_role_without_its_rights_is_named(problems: Problems, services: Services) -> None:
    with services.databases.copy() as url:
        execute(url, "REVOKE SELECT ON messages FROM throughline_app")
        assert problems(database_url=as_application(url)).keys() == {"roles"}


def test_one_role_for_all_is_named(problems: Problems, site: Site) -> None:
    assert problems(database_url=owner_url(site.environment["DATABASE_URL"])).keys() == {"roles"}


def test_a_port_in_use_is_named(problems: Problems) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        assert problems(port=other.getsockname()[1]).keys() == {"port"}
    assert problems(port=free_port()) == {}


def test_a_key_that_a_model_refuses_is_named(problems: Problems) -> None:
    with running_openai_server() as model:
        model.key = "the right one"
        findings = problems(llm_model="openai/a", llm_api_base=model.base_url, llm_api_key=KEY)
    assert findings == {"models": "no answer of LLM_MODEL: model_refused"}


def test_a_misspelt_variable_is_named(problems: Problems) -> None:
    env_file = "LLM_MODLE=a\nMISTRAL_API_KEY=b\nEDITOR=c\nLLM_API_KEY_FILE=d"
    assert problems(env_file=env_file) == {"settings": "unknown: LLM_MODLE (is LLM_MODEL meant?)"}


def test_a_broken_line_is_named(problems: Problems) -> None:
    assert problems(env_file=f"PORT=8000\n{KEY}\n") == {"settings": "no NAME=value in .env: line 2"}


def test_a_stopped_worker_is_named_also_on_the_page(problems: Problems, site: Site) -> None:
    def ask() -> dict[str, str]:
        report = site.post("/api/v1/operations/doctor", {})
        assert report["healthy"] == all(check["status"] != "problem" for check in report["checks"])
        return {
            check["check"]: check["says"]
            for check in report["checks"]
            if check["status"] == "problem"
        }

    wait_for(lambda: ask() == {}, EXPORT_S)
    with without_worker_embed(site, problems):
        expected = {"workers": "no worker-embed answers"}
        assert problems() == expected
        wait_for(lambda: ask() == expected, EXPORT_S)  # one run serves all for ten seconds


def test_the_command_is_safe_to_paste(problems: Problems, site: Site, tmp_path: Path) -> None:
    environment = os.environ | site.environment | {"LLM_API_KEY": KEY, "OPERATORS": "Ada Lovelace"}
    command = [sys.executable, "-m", "throughline", "doctor", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert report["healthy"] is True
    for secret in (KEY, "Ada", "throughline_app", site.environment["REDIS_URL"]):
        assert secret not in done.stdout
    sources = {
        setting["name"]: (setting["value"], setting["source"]) for setting in report["settings"]
    }
    assert sources["LLM_API_KEY"] == ("(set)", "environment")
    assert sources["SWEEP_EVERY_S"] == ("2", "environment")
    assert sources["STUCK_AFTER_S"] == ("300", "default")


def test_a_site_that_does_not_run_is_examined_all_the_same(tmp_path: Path) -> None:
    environment = {"DATA_DIR": str(tmp_path), "PORT": str(free_port())}
    done = CliRunner().invoke(main, ["doctor"], env=environment)
    assert (done.exit_code, "the site does not run" in done.output) == (0, True)
    done = CliRunner().invoke(main, ["doctor"], env=environment | {"PORT": "x"})
    assert (done.exit_code, "cannot be used: PORT" in done.output) == (1, True)


@contextmanager
def without_worker_embed(site: Site, problems: Problems) -> Iterator[None]:
    site.end("worker-embed")
    try:
        yield
    finally:
        site.start("worker-embed")
        wait_for(lambda: not problems(), EXPORT_S, lambda: str(problems()))


def execute(url: str, statement: str) -> None:
    with closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(statement)
