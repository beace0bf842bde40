"""The pods' commands, as the manifests have them, on the Postgres and Redis of Compose.

There may be no cluster here: each container is run with the security context, the files and the
environment of its pod, and is asked by the pod's own probes.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.containers.engine import Engine, call
from tests.containers.stack import PROJECT, Stack
from tests.deploy_files import (
    PODS,
    container_of,
    environment_of,
    pod_of,
    read_manifests,
    read_secrets,
    read_workloads,
    secrets_of,
)
from tests.waiting import wait_for

READY_S = 120


@pytest.fixture(scope="module")
def site(stack: Stack) -> Stack:
    """The stack, started unless an earlier test has done so."""
    if not stack.containers("web", everything=False):
        call([str(stack.folder / "bin/compose-secrets")])
        stack.up()
    return stack


def options_of(name: str, secrets: Path) -> list[str]:
    """The pod's rights, files and environment, as the engine takes them."""
    identity, container = pod_of(read_workloads()[name])["securityContext"], container_of(name)
    rights = container["securityContext"]
    assert rights["readOnlyRootFilesystem"]
    assert not rights["allowPrivilegeEscalation"]
    [settings] = [m["data"] for m in read_manifests() if m["kind"] == "ConfigMap"]
    folders = [m["mountPath"] for m in container["volumeMounts"] if m["name"] != "secrets"]
    return [
        f"--network={PROJECT}_back",
        f"--user={identity['runAsUser']}:{identity['runAsGroup']}",
        "--read-only",
        "--security-opt=no-new-privileges",
        *(f"--cap-drop={capability}" for capability in rights["capabilities"]["drop"]),
        *(f"--tmpfs={folder}" for folder in folders),
        f"--volume={secrets}:/run/secrets:ro",
        *(f"--env={name}={value}" for name, value in (settings | environment_of(name)).items()),
    ]


def command_of(name: str) -> list[str]:
    """Kubernetes makes one `$` of two."""
    return [word.replace("$$", "$") for word in container_of(name)["command"]]


def make_secrets(stack: Stack, name: str, folder: Path) -> Path:
    """The files that the pod mounts, and no other."""
    folder.chmod(0o755)
    for secret in secrets_of(name):
        for file in read_secrets()[secret]:
            shutil.copy(stack.folder / "deploy/secrets" / file, folder / file)
    return folder


@contextmanager
def running(engine: Engine, *words: str) -> Iterator[str]:
    container = engine.run("run", "--detach", *words).strip().splitlines()[-1]
    try:
        yield container
    finally:
        with suppress(AssertionError):
            engine.run("rm", "--force", container)


def passes(engine: Engine, container: str, name: str, probe: dict[str, Any]) -> bool:
    command = probe.get("exec", {}).get("command")
    if command is None:
        ports = {port["name"]: port["containerPort"] for port in container_of(name)["ports"]}
        command = ["python", "-c", _client_of(probe, ports)]
    try:
        engine.run("exec", container, *command)
    except AssertionError:
        return False
    return True


def _client_of(probe: dict[str, Any], ports: dict[str, int]) -> str:
    """A program that asks as the probe does, and fails where it would."""
    if socket := probe.get("tcpSocket"):
        return f"import socket; socket.create_connection(('127.0.0.1', {ports[socket['port']]}))"
    request = probe["httpGet"]
    url = f"http://127.0.0.1:{ports[request['port']]}{request['path']}"
    return f"from urllib.request import urlopen as o; o('{url}')"


def test_the_job_migrates(engine: Engine, site: Stack, image: str, tmp_path: Path) -> None:
    secrets = make_secrets(site, "migrate", tmp_path)
    options = options_of("migrate", secrets)
    engine.run("run", "--rm", *options, image, *command_of("migrate"))


@pytest.mark.parametrize("name", PODS)
def test_a_pod_starts_and_its_probes_pass(
    engine: Engine, site: Stack, image: str, name: str, tmp_path: Path
) -> None:
    options = options_of(name, make_secrets(site, name, tmp_path))
    with running(engine, *options, image, *command_of(name)) as container:
        for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
            probe = container_of(name).get(kind)
            if probe:
                wait_for(
                    functools.partial(passes, engine, container, name, probe),
                    READY_S,
                    lambda: call([*engine.command, "logs", container]),
                )
