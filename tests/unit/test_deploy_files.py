"""What is written down in several places must agree: settings, commands, images.

There may be no container engine where these tests run, so they hold the files to the Procfile
and the settings. They say nothing about whether an image builds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import SecretStr

from shared.settings import Settings, read_settings
from supervisor.embedded.postgres import LOG_NO_TEXT as POSTGRES_LOG
from supervisor.embedded.valkey import LOG_NO_TEXT as VALKEY_LOG
from supervisor.environment import DEFAULTS
from supervisor.procfile import parse_procfile

ROOT = Path(__file__).parents[2]
PROCESSES = parse_procfile((ROOT / "Procfile").read_text())
MIGRATE = ["python", "-m", "migrations"]
PROXY_VARIABLES = {"SITE_ADDRESS", "USERS_FILE", "NGINX_ENTRYPOINT_LOCAL_RESOLVERS"}
POSTGRES_VARIABLES = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}
PROVIDER_KEYS = {"OPENAI_API_KEY"}


def read_example() -> dict[str, str]:
    """Defaults by variable, from the lines `#NAME=default`."""
    lines = re.findall(r"^#([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert len(lines) == len(dict(lines)), "a variable stands there twice"
    return dict(lines)


def read_shell_variables(text: str) -> dict[str, str]:
    """Those of `${NAME:-default}`, and of `${NAME:?message}` with no default."""
    found = re.findall(r"\$\{([A-Z_]+):(?:-([^}]*)|\?[^}]*)\}", text)
    return dict(found)


class ComposeLoader(yaml.SafeLoader):
    """Knows Compose's own tags: what stands behind them replaces what the first file says."""


for tag in ("!reset", "!override"):
    ComposeLoader.add_constructor(tag, ComposeLoader.construct_sequence)


def read_compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def read_compose_with_proxy() -> dict[str, Any]:
    """As Compose merges the two files, as far as these tests ask."""
    text = (ROOT / "deploy/proxy/compose.yml").read_text()
    added = yaml.load(text, ComposeLoader)["services"]  # noqa: S506 - a SafeLoader
    own = read_compose()
    web = own["web"] | added["web"]
    web["environment"] = own["web"]["environment"] | added["web"]["environment"]
    return own | added | {"web": web}


def interpolated_by_compose() -> dict[str, str]:
    """Compose writes a `$` of its own as `$$`; what is left is filled in on the host."""
    files = (ROOT / "docker-compose.yml", ROOT / "deploy/proxy/compose.yml")
    text = "".join(file.read_text() for file in files)
    return read_shell_variables(text.replace("$$", ""))


def read_manifests() -> Iterator[dict[str, Any]]:
    for name in yaml.safe_load((ROOT / "deploy/kustomization.yaml").read_text())["resources"]:
        yield from yaml.safe_load_all((ROOT / "deploy" / name).read_text())


def read_workloads() -> dict[str, dict[str, Any]]:
    """Deployments and jobs by name."""
    return {
        manifest["metadata"]["name"]: manifest
        for manifest in read_manifests()
        if manifest["kind"] in ("Deployment", "Job")
    }


def pod_of(workload: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = workload["spec"]["template"]["spec"]
    return pod


def container_of(name: str) -> dict[str, Any]:
    """The one that runs our image."""
    containers = pod_of(read_workloads()[name])["containers"]
    [own] = [container for container in containers if container["image"] == "throughline"]
    return dict(own)


def environment_of_web_pods() -> dict[str, Any]:
    """The settings, and what stands in the manifest over them. Secrets are empty."""
    [settings] = [m["data"] for m in read_manifests() if m["kind"] == "ConfigMap"]
    own = {entry["name"]: entry.get("value", "") for entry in container_of("web")["env"]}
    return {name: value for name, value in (settings | own).items() if value or name in own}


def as_run_by_sh(command: list[str]) -> str:
    """What `sh` is told, without the escape of compose and of Kubernetes: two `$` are one."""
    assert command[:2] == ["sh", "-c"]
    return command[2].replace("$$", "$")


def test_the_example_lists_every_setting_and_every_variable_of_the_commands() -> None:
    settings = {name.upper() for name in Settings.model_fields}
    commands = read_shell_variables((ROOT / "Procfile").read_text())
    assert read_example().keys() == settings | commands.keys() | interpolated_by_compose().keys()


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_the_example_gives_the_default_of_a_setting(name: str) -> None:
    value = read_example()[name.upper()]
    default = Settings.model_fields[name].default
    if value:
        assert getattr(read_settings(**{name: value}), name) == default
    else:
        held = getattr(Settings(), name)
        assert (held.get_secret_value() if isinstance(held, SecretStr) else held) in ("", (), None)


def test_the_example_gives_the_defaults_that_stand_in_the_commands() -> None:
    written = read_shell_variables((ROOT / "Procfile").read_text())
    assert written.items() <= read_example().items()


def test_compose_publishes_on_the_addresses_that_the_example_names() -> None:
    assert interpolated_by_compose().items() <= read_example().items()


@pytest.mark.parametrize("name", PROCESSES)
def test_compose_runs_a_process_as_the_procfile_does(name: str) -> None:
    assert as_run_by_sh(read_compose()[name]["command"]) == f"exec {PROCESSES[name]}"


@pytest.mark.parametrize("name", PROCESSES)
def test_kubernetes_runs_a_process_as_the_procfile_does(name: str) -> None:
    assert as_run_by_sh(container_of(name)["command"]) == f"exec {PROCESSES[name]}"


def test_the_databases_of_compose_log_no_text_either() -> None:
    services = read_compose()
    postgres = services["postgres"]["command"]
    assert {f"{name}={value}" for name, value in POSTGRES_LOG.items()} <= set(postgres)
    assert postgres[0] == "postgres"
    assert set(postgres[1::2]) == {"-c"}
    command, *options = services["redis"]["command"]
    pairs = dict(zip(options[::2], options[1::2], strict=True))
    assert command == "valkey-server"
    assert {f"--{name}": value for name, value in VALKEY_LOG.items()}.items() <= pairs.items()


def test_both_migrate_as_a_job_of_its_own() -> None:
    assert read_compose()["migrate"]["command"] == MIGRATE
    assert read_compose()["migrate"]["restart"] == "no"
    assert container_of("migrate")["command"] == MIGRATE


def test_the_owner_of_the_database_is_known_to_the_migrations_alone() -> None:
    owner = "postgresql://throughline:"
    for name, service in read_compose().items():
        environment = service.get("environment", {})
        if name in PROCESSES:
            assert environment["MIGRATION_DATABASE_URL"] == environment["POSTGRES_PASSWORD"] == ""
            assert environment["DATABASE_URL"].startswith("postgresql://throughline_app:")
    assert read_compose()["migrate"]["environment"]["MIGRATION_DATABASE_URL"].startswith(owner)
    assert {"secretRef": {"name": "migration-secrets"}} in container_of("migrate")["envFrom"]
    for name in PROCESSES:
        assert {"secretRef": {"name": "migration-secrets"}} not in container_of(name)["envFrom"]


def test_the_image_alone_serves_as_the_procfile_does() -> None:
    [command] = re.findall(r"^CMD (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert as_run_by_sh(yaml.safe_load(command)) == f"exec {PROCESSES['web']}"


def test_compose_sets_only_variables_that_somebody_reads() -> None:
    others = {"proxy": PROXY_VARIABLES, "postgres": POSTGRES_VARIABLES}
    for name, service in read_compose_with_proxy().items():
        assert service.get("environment", {}).keys() <= others.get(name, read_example().keys())


def test_kubernetes_sets_only_variables_that_somebody_reads() -> None:
    for name in read_workloads():
        names = {variable["name"] for variable in container_of(name).get("env", ())}
        assert names <= read_example().keys()
    [settings] = [m["data"] for m in read_manifests() if m["kind"] == "ConfigMap"]
    assert settings.keys() <= read_example().keys()
    secret = next(yaml.safe_load_all((ROOT / "deploy/kubernetes/secret.example.yaml").read_text()))
    assert secret["stringData"].keys() <= read_example().keys() | PROVIDER_KEYS


def test_the_settings_of_both_are_accepted_together() -> None:
    for environment, mode in (
        (read_compose()["web"]["environment"], "password"),
        (read_compose_with_proxy()["web"]["environment"], "proxy"),
        (environment_of_web_pods(), "password"),
    ):
        own = {name.lower(): value for name, value in environment.items()}
        own |= {"secret_key": "x" * 32} if "secret_key" in own else {}
        assert Settings(**own).auth_mode == mode


def test_workers_can_be_scaled_by_compose() -> None:
    for name, service in read_compose_with_proxy().items():
        assert "container_name" not in service
        assert not service.get("ports") or name in ("proxy", "flower")


def test_compose_publishes_nothing_beyond_this_machine_by_itself() -> None:
    files = (read_compose(), read_compose_with_proxy())
    services = [service for file in files for service in file.values()]
    ports = [port for service in services for port in service.get("ports", ())]
    assert len(ports) == 4
    assert all(port.startswith("${PUBLISH_ADDRESS:-127.0.0.1}:") for port in ports)


def test_compose_believes_the_address_of_its_proxy_alone() -> None:
    services = read_compose_with_proxy()
    trusted = services["web"]["environment"]["TRUSTED_PROXIES"]
    assert trusted == services["proxy"]["networks"]["front"]["ipv4_address"]
    on_front = {name for name, service in services.items() if "front" in service["networks"]}
    assert on_front == {"proxy", "web"}


def test_who_signs_and_who_encrypts_has_the_same_key() -> None:
    """`web` signs sessions and stores the secrets of webhooks; `worker-llm` signs with those."""
    services = read_compose()
    with_key = {
        name for name in PROCESSES if services[name]["environment"]["SECRET_KEY"].startswith("${")
    }
    assert with_key == {"web", "worker-llm"}
    assert "webhooks" in PROCESSES["worker-llm"]
    for name in with_key:
        assert {"secretRef": {"name": "secrets"}} in container_of(name)["envFrom"]


def test_the_ingress_leads_to_where_the_settings_say_that_the_site_is() -> None:
    [ingress] = [m for m in read_manifests() if m["kind"] == "Ingress"]
    [rule], [tls] = ingress["spec"]["rules"], ingress["spec"]["tls"]
    assert environment_of_web_pods()["PUBLIC_URL"] == f"https://{rule['host']}"
    assert tls["hosts"] == [rule["host"]]
    [path] = rule["http"]["paths"]
    [service] = [
        m for m in read_manifests() if m["metadata"]["name"] == "web" and m["kind"] == "Service"
    ]
    assert path["backend"]["service"] == {"name": "web", "port": {"name": "http"}}
    assert service["spec"]["ports"][0]["name"] == "http"
    ports = {port["name"]: port["containerPort"] for port in container_of("web")["ports"]}
    assert str(ports["http"]) == environment_of_web_pods()["PORT"]


@pytest.mark.parametrize("name", [*PROCESSES, "migrate"])
def test_pods_have_limits_and_no_rights(name: str) -> None:
    pod = pod_of(read_workloads()[name])
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    for container in pod["containers"]:
        assert container["resources"]["limits"]["memory"]
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("name", sorted(PROCESSES.keys() - {"beat"}))
def test_pods_that_can_be_asked_are_asked(name: str) -> None:
    assert "livenessProbe" in container_of(name)


def test_there_is_one_beat() -> None:
    spec = read_workloads()["beat"]["spec"]
    assert (spec["replicas"], spec["strategy"]["type"]) == (1, "Recreate")


def test_the_image_has_the_environment_that_the_supervisor_gives() -> None:
    text = (ROOT / "Dockerfile").read_text()
    block = text[text.index("ENV ") :].split("\n# ", 1)[0]
    written = dict(re.findall(r"([A-Z_]+)=(\S+)", block))
    assert written.items() >= DEFAULTS.items()


def test_the_image_has_the_torch_that_is_installed_elsewhere() -> None:
    [pin] = re.findall(r'torch="(torch==[\d.]+)"', (ROOT / "bin/install").read_text())
    assert f"install --no-cache-dir {pin}" in (ROOT / "Dockerfile").read_text()


def test_the_build_sees_every_file_that_the_image_copies() -> None:
    copied = re.findall(r"^COPY (?!--)(\S+) ", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    let_in = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert sorted(copied) == sorted(let_in)
    assert all((ROOT / path).exists() for path in copied)
