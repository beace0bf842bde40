"""What the processes of a running site have in their environment, and what one of them can do."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from shared.broker.celery_app import make_celery
from shared.broker.tasks import BACK_UP
from shared.maintenance.backup.folder import list_names, read_manifest
from shared.settings import read_settings
from tests.e2e.supervised import pids_below, supervised_site
from tests.exports import copy_export
from tests.services import private_folder
from tests.waiting import wait_for

START_S = 90
BACKUP_S = 120
MARK = "Zinnober"
#: Set by a person, in the shell or in .env; each has a value of its own to be found by.
SET = (
    "LLM_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "OIDC_CLIENT_SECRET",
    "PGPASSWORD", "HF_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS", "FLOWER_BASIC_AUTH", "HTTPS_PROXY",
    "MIGRATION_DATABASE_URL", "BACKUP_PASSPHRASE", "secret_key", "ANYTHING_ELSE",
)  # fmt: skip
MCP = {"MCP_TOKEN": f"{MARK}-mcp"}
OF_MODELS = {"LLM_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "ANYTHING_ELSE"}
SERVICES = {"DATABASE_URL", "REDIS_URL"}
EXPECTED = {
    "web": SERVICES
    | OF_MODELS
    | {"SECRET_KEY", "LOCAL_TOKEN", "FLOWER_BASIC_AUTH", "OIDC_CLIENT_SECRET", "PGPASSWORD"}
    | {"HF_TOKEN", "HTTPS_PROXY", "OTEL_EXPORTER_OTLP_HEADERS"},
    "worker-llm": SERVICES
    | OF_MODELS
    | {"SECRET_KEY", "PGPASSWORD", "HTTPS_PROXY", "OTEL_EXPORTER_OTLP_HEADERS"},
    "worker-embed": SERVICES
    | {"PGPASSWORD", "HF_TOKEN", "HTTPS_PROXY", "OTEL_EXPORTER_OTLP_HEADERS"},
    "worker-backup": SERVICES
    | {"MIGRATION_DATABASE_URL", "SECRET_KEY", "BACKUP_PASSPHRASE", "PGPASSWORD"},
    "beat": {"REDIS_URL"},
    "flower": {"REDIS_URL", "FLOWER_BASIC_AUTH"},
    "postgres": set[str](),
    "valkey": set[str](),
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows environments in /proc")
def test_each_process_has_the_secrets_that_it_needs_and_no_more(tmp_path: Path) -> None:
    with private_folder() as folder, supervised_site(folder) as supervisor:
        copy_export(tmp_path, folder / ".data")
        backups = folder / "backups"
        backups.mkdir()
        backups.chmod(0o777)  # the site's account may be another
        values = {name: f"{MARK}-{name.lower()}-{'x' * 32}" for name in SET} | MCP
        values |= {
            "BACKUP_FOLDER": str(backups),
            "FLOWER_BASIC_AUTH": f"admin:{MARK}",
            "MIGRATION_DATABASE_URL": f"postgresql://owner:{MARK}@nowhere/site",
        }
        supervisor.start(**values)
        wait_for(
            lambda: len(supervisor.pids()) == len(EXPECTED), START_S, lambda: supervisor.output
        )
        supervisor.wait_for("Connected to redis", times=3)
        secrets = {name.upper() for name in SET} | {*MCP, *SERVICES, "LOCAL_TOKEN", "SECRET_KEY"}
        names_by_process = {
            name: {
                variable
                for pid in pids_below(supervisor.pid_of(name))
                for variable in environment_of(pid)
                if variable.upper() in secrets
            }
            for name in EXPECTED
        }
        assert {
            name: {secret.upper() for secret in names} for name, names in names_by_process.items()
        } == EXPECTED
        marked = {
            name
            for name in ("beat", "flower", "worker-embed", "postgres", "valkey")
            for pid in pids_below(supervisor.pid_of(name))
            for variable, text in environment_of(pid).items()
            if MARK in text and variable.upper() not in EXPECTED[name]
        }
        assert marked == set()
        environment = environment_of(supervisor.pid_of("worker-backup"))
        make_celery(read_settings(redis_url=environment["REDIS_URL"])).send_task(BACK_UP)
        wait_for(lambda: list_names(backups), BACKUP_S, lambda: supervisor.output)
        [name] = list_names(backups)
        assert read_manifest(backups / name).has_secrets


def environment_of(pid: int) -> dict[str, str]:
    """Empty for one that has ended meanwhile, as Postgres's own do."""
    entries: list[str] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        entries = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return {name: text for name, _, text in (entry.partition("=") for entry in entries) if text}
