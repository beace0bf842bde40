"""A copy of the project's files, started by Compose under a name of its own."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import IO

import httpx

from tests.containers.engine import Engine, call
from tests.waiting import wait_for

PROJECT = "throughline-test"
FILES = ("docker-compose.yml", "Dockerfile", ".dockerignore", "pyproject.toml", "Procfile")
FOLDERS = (
    "bin", "deploy", "requirements", "shared", "web", "workers", "migrations", "throughline",
    "throughline_client",
)  # fmt: skip
SERVICES = ("postgres", "redis", "web", "worker-llm", "worker-embed", "beat", "flower")
PORT, FLOWER_PORT = 18_010, 18_011
HEALTHY_S = 240


def copy_project(source: Path, folder: Path) -> Path:
    """What a build and Compose need. Bases are named by tag: the kit's have no digest."""
    folder.mkdir(parents=True)
    for name in FILES:
        if (source / name).exists():
            text = re.sub(r"@sha256:[0-9a-f]{64}", "", (source / name).read_text())
            (folder / name).write_text(text)
    for name in FOLDERS:
        left_out = shutil.ignore_patterns("__pycache__", "secrets")
        shutil.copytree(source / name, folder / name, ignore=left_out)
    return folder


class Stack:
    """The containers of one folder. Two stacks have the same volumes: the second one upgrades."""

    def __init__(self, engine: Engine, folder: Path, image: str) -> None:
        self.engine = engine
        self.folder = folder
        self.url = f"http://127.0.0.1:{PORT}"
        compose = folder / "docker-compose.yml"
        compose.write_text(compose.read_text().replace("image: throughline", f"image: {image}"))
        if engine.kit is not None:
            override = Path(__file__).with_name("kit.yml").read_text()
            (folder / "docker-compose.override.yml").write_text(override)

    def write_env(self, **variables: str) -> None:
        settings = {"PORT": str(PORT), "FLOWER_PORT": str(FLOWER_PORT)} | variables
        settings["PUBLIC_URL"] = self.url
        (self.folder / ".env").write_text("".join(f"{k}={v}\n" for k, v in settings.items()))

    def compose(self, *words: str, stdin: IO[bytes] | None = None) -> str:
        command = [*self.engine.compose, "-p", PROJECT, *words]
        return call(command, folder=self.folder, stdin=stdin)

    def up(self, **scale: int) -> None:
        """Start everything and wait until it is healthy.

        podman-compose neither waits by itself nor replaces what runs in another form.
        """
        scales = [
            word
            for name, count in scale.items()
            for word in ("--scale", f"{name.replace('_', '-')}={count}")
        ]
        if self.engine.kit is not None:
            self.down()
            self.compose("up", "-d", "--no-build", "postgres", "redis")
            self.wait_until_healthy("postgres", "redis")
        self.compose("up", "-d", "--no-build", *scales)
        self.wait_until_healthy(*SERVICES)

    def down(self, *, volumes: bool = False) -> None:
        with suppress(AssertionError):
            self.compose("down", *(["--volumes"] if volumes else []))
        for container in self.containers():  # podman-compose leaves scaled ones behind
            self.engine.run("rm", "--force", container)

    def containers(self, service: str | None = None, *, everything: bool = True) -> list[str]:
        filters = [f"label=com.docker.compose.project={PROJECT}"]
        if service is not None:
            filters.append(f"label=com.docker.compose.service={service}")
        words = [word for condition in filters for word in ("--filter", condition)]
        listed = self.engine.run("ps", "-q", *(["-a"] if everything else []), *words)
        return listed.split()

    def wait_until_healthy(self, *services: str) -> None:
        for service in services:
            wait_for(
                functools.partial(self.is_healthy, service),
                HEALTHY_S,
                functools.partial(self.log, service),
            )

    def is_healthy(self, service: str) -> bool:
        ids = self.containers(service, everything=False)
        return bool(ids) and all(self.engine.is_healthy(container) for container in ids)

    def is_ready(self) -> bool:
        return bool(httpx.get(f"{self.url}/readyz", timeout=5).json()["ready"])

    def log(self, service: str) -> str:
        words = (*self.engine.command, "logs")
        logs = [
            subprocess.run([*words, container], check=True, capture_output=True)
            for container in self.containers(service)
        ]
        return "".join((log.stdout + log.stderr).decode(errors="replace") for log in logs)

    def kill(self, container: str) -> None:
        """kill -9 of its first process, which the engine takes for a crash and starts again."""
        if os.geteuid() == 0:
            os.kill(int(self.engine.inspect(container)["State"]["Pid"]), signal.SIGKILL)
        else:
            self.engine.run("kill", container)
            self.engine.run("start", container)

    def in_web(self, *words: str) -> str:
        [web] = self.containers("web", everything=False)
        return self.engine.run("exec", web, "python", "-m", "throughline", *words)

    def query(self, sql: str) -> str:
        """What the database's owner is answered."""
        [postgres] = self.containers("postgres", everything=False)
        words = ("psql", "-U", "throughline", "-d", "throughline", "-tAc", sql)
        return self.engine.run("exec", postgres, *words).strip()
