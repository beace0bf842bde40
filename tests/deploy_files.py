"""The files for containers, the settings and the Procfile, read for the tests that compare them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from supervisor.procfile import parse_procfile

ROOT = Path(__file__).parents[1]
PROCESSES = parse_procfile((ROOT / "Procfile").read_text())
#: In Kubernetes Postgres is the operator's, and so are its backups.
PODS = {name: command for name, command in PROCESSES.items() if name != "worker-backup"}
MIGRATE = ["python", "-m", "migrations"]
PROXY_VARIABLES = {"SITE_ADDRESS", "USERS_FILE", "NGINX_ENTRYPOINT_LOCAL_RESOLVERS"}
POSTGRES_VARIABLES = {"POSTGRES_USER", "POSTGRES_DB"}
PYTHON_VARIABLES = {"TMPDIR"}
FLOWER_VARIABLES = {"FLOWER_ADDRESS"}  # that Flower reads itself
EARLIER_VARIABLES = {"POSTGRES_PASSWORD", "APP_PASSWORD"}


def read_example() -> dict[str, str]:
    """Defaults by variable, from the lines `#NAME=default`."""
    lines = re.findall(r"^#([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert len(lines) == len(dict(lines)), "a variable stands there twice"
    return dict(lines)


def read_shell_variables(text: str) -> dict[str, str]:
    """Those of `${NAME:-default}`, and of `${NAME:?message}` with no default."""
    variables = re.findall(r"\$\{([A-Z_]+):(?:-([^}]*)|\?[^}]*)\}", text)
    return dict(variables)


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
    services = read_compose()
    web = services["web"] | added["web"]
    web["environment"] = services["web"]["environment"] | added["web"]["environment"]
    return services | added | {"web": web}


def interpolated_by_compose() -> dict[str, str]:
    """Compose writes a `$` of its own as `$$`; what is left is filled in on the host."""
    files = (ROOT / "docker-compose.yml", ROOT / "deploy/proxy/compose.yml")
    text = "".join(file.read_text() for file in files)
    return read_shell_variables(text.replace("$$", ""))


def read_manifests(folder: str = "base") -> Iterator[dict[str, Any]]:
    """Those of the base, or an overlay's own (`overlays/production`)."""
    base = ROOT / "deploy/kubernetes" / folder
    for name in yaml.safe_load((base / "kustomization.yaml").read_text())["resources"]:
        if name.endswith(".yaml"):
            yield from yaml.safe_load_all((base / name).read_text())


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
    [container_of_image] = [
        container for container in containers if container["image"] == "throughline"
    ]
    return dict(container_of_image)


def secrets_of(name: str) -> set[str]:
    """The Secrets whose files a pod has."""
    volumes = {entry["name"]: entry for entry in pod_of(read_workloads()[name])["volumes"]}
    return {entry["secret"]["name"] for entry in volumes["secrets"]["projected"]["sources"]}


def read_secrets() -> dict[str, set[str]]:
    """The files of each Secret of the example."""
    text = (ROOT / "deploy/kubernetes/secrets.example.yaml").read_text()
    return {
        secret["metadata"]["name"]: set(secret["stringData"]) for secret in yaml.safe_load_all(text)
    }


def environment_of(name: str) -> dict[str, str]:
    return {variable["name"]: variable["value"] for variable in container_of(name).get("env", ())}


def environment_of_web_pods() -> dict[str, Any]:
    """The settings, and what stands in the manifest over them."""
    [settings] = [m["data"] for m in read_manifests() if m["kind"] == "ConfigMap"]
    return {name: value for name, value in settings.items() if value} | environment_of("web")


def as_run_by_sh(command: list[str]) -> str:
    """What `sh` is told, without the escape of compose and of Kubernetes: two `$` are one."""
    assert command[:2] == ["sh", "-c"]
    return command[2].replace("$$", "$")
