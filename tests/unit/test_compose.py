"""The compose files agree with the Procfile and the settings, and give each container little."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shared.attachments.parsing import MEMORY_BYTES
from supervisor.embedded.postgres import LOG_NO_TEXT as POSTGRES_LOG
from supervisor.embedded.valkey import LOG_NO_TEXT as VALKEY_LOG
from tests.deploy_files import (
    EARLIER_VARIABLES,
    FLOWER_VARIABLES,
    POSTGRES_VARIABLES,
    PROCESSES,
    PROXY_VARIABLES,
    PYTHON_VARIABLES,
    ROOT,
    as_run_by_sh,
    interpolated_by_compose,
    read_compose,
    read_compose_with_proxy,
    read_example,
)

SERVICES = read_compose_with_proxy()
# Postgres' start script gives the volume to its account, and goes on as that.
POSTGRES_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"]
SECRETS = {
    "postgres": {"postgres_password"},
    "redis": {"redis_auth"},
    "migrate": {"database_url", "migration_database_url", "redis_url"},
    "web": {"database_url", "redis_url", "secret_key", "llm_api_key", "flower_basic_auth"},
    "worker-llm": {"database_url", "redis_url", "secret_key", "llm_api_key"},
    "worker-embed": {"database_url", "redis_url"},
    "worker-backup": {
        "database_url", "migration_database_url", "redis_url", "secret_key", "backup_passphrase",
    },
    "beat": {"redis_url"},
    "flower": {"redis_url", "flower_basic_auth"},
    "proxy": {"users"},
}  # fmt: skip


def named_secrets(service: dict[str, Any]) -> set[str]:
    """The files that its environment, its start and its command name."""
    texts = [
        *service.get("environment", {}).values(),
        *service.get("entrypoint", ()),
        *service.get("command", ()),
    ]
    return {name for text in texts for name in re.findall(r"/run/secrets/(\w+)", str(text))}


def test_compose_publishes_on_the_addresses_that_the_example_names() -> None:
    assert interpolated_by_compose().items() <= read_example().items()


@pytest.mark.parametrize("name", PROCESSES)
def test_compose_runs_a_process_as_the_procfile_does(name: str) -> None:
    assert as_run_by_sh(read_compose()[name]["command"]) == f"exec {PROCESSES[name]}"


def test_the_databases_of_compose_log_no_text_either() -> None:
    services = read_compose()
    postgres = services["postgres"]["command"]
    assert {f"{name}={value}" for name, value in POSTGRES_LOG.items()} <= set(postgres)
    assert set(postgres[::2]) == {"-c"}
    command, *options = services["redis"]["command"]
    pairs = dict(zip(options[::2], options[1::2], strict=True))
    assert command == "valkey-server"
    assert {f"--{name}": value for name, value in VALKEY_LOG.items()}.items() <= pairs.items()


def test_compose_sets_only_variables_that_somebody_reads() -> None:
    others = {"proxy": PROXY_VARIABLES, "postgres": POSTGRES_VARIABLES}
    example = read_example().keys()
    site_variables = example | {f"{name}_FILE" for name in example}
    site_variables |= EARLIER_VARIABLES | PYTHON_VARIABLES | FLOWER_VARIABLES
    for name, service in SERVICES.items():
        assert service.get("environment", {}).keys() <= others.get(name, site_variables)


def test_workers_can_be_scaled_by_compose() -> None:
    for name, service in read_compose_with_proxy().items():
        assert "container_name" not in service
        assert not service.get("ports") or name in ("proxy", "flower")


def test_compose_publishes_nothing_beyond_this_machine_by_itself() -> None:
    files = (read_compose(), read_compose_with_proxy())
    services = [service for file in files for service in file.values()]
    ports = [port for service in services for port in service.get("ports", ())]
    assert len(ports) == 4
    assert all(port.startswith("${BIND:-127.0.0.1}:") for port in ports)


def test_compose_believes_the_address_of_its_proxy_alone() -> None:
    services = read_compose_with_proxy()
    trusted = services["web"]["environment"]["TRUSTED_PROXIES"]
    assert trusted == services["proxy"]["networks"]["front"]["ipv4_address"]
    on_front = {name for name, service in services.items() if "front" in service["networks"]}
    assert on_front == {"proxy", "web"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_rights_and_limits(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (POSTGRES_CAPABILITIES if name == "postgres" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "/tmp" in service["tmpfs"]  # noqa: S108 - in memory, the container's own
    assert service["mem_limit"]
    assert service["cpus"] == 1
    assert service["pids_limit"] == 512


def test_what_arrives_at_web_lies_on_disk() -> None:
    web = SERVICES["web"]
    folder = web["environment"]["TMPDIR"]
    assert f"arriving:{folder}" in web["volumes"]
    assert folder not in web["tmpfs"]


def test_web_has_room_for_the_process_that_reads_a_file() -> None:
    assert SERVICES["web"]["mem_limit"] == "1g"
    assert MEMORY_BYTES <= 1024**3 / 2


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - {"migrate"}))
def test_a_container_that_goes_on_is_asked_for_its_health(name: str) -> None:
    assert SERVICES[name]["restart"] == "unless-stopped"
    assert SERVICES[name]["healthcheck"]["test"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_the_secrets_that_it_needs_and_no_other(name: str) -> None:
    assert set(SERVICES[name]["secrets"]) == SECRETS[name]
    assert named_secrets(SERVICES[name]) == SECRETS[name]


@pytest.mark.parametrize("name", PROCESSES)
def test_no_secret_of_env_reaches_a_process_through_its_environment(name: str) -> None:
    environment = SERVICES[name]["environment"]
    emptied = {
        "DATABASE_URL", "MIGRATION_DATABASE_URL", "REDIS_URL", "SECRET_KEY", "FLOWER_BASIC_AUTH",
        "BACKUP_PASSPHRASE", *EARLIER_VARIABLES,
    }  # fmt: skip
    assert {variable: environment[variable] for variable in emptied} == dict.fromkeys(emptied, "")


def test_a_health_check_looks_at_the_file_that_the_process_touches() -> None:
    for name in ("worker-llm", "worker-embed", "worker-backup", "beat"):
        path = SERVICES[name]["environment"]["HEARTBEAT_PATH"]
        [form, command] = SERVICES[name]["healthcheck"]["test"]
        assert form == "CMD-SHELL"
        assert f"find {path} -mmin" in command


def test_backups_are_off_until_a_profile_is_named() -> None:
    off = {name for name, service in SERVICES.items() if "profiles" in service}
    assert off == {"worker-backup"}
    [volume] = SERVICES["worker-backup"]["volumes"]
    assert volume == "backups:/backups"
    folder = re.findall(r"\.data/metrics (/\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert folder == ["/backups"], "a new volume takes its owner from the image"
