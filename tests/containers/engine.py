"""A container engine: Docker, or podman as a kit beside this project starts it on Debian.

The kit (`CONTAINER_KIT`, or `../shared/containers/kit`) makes stand-ins for the base images where
no registry can be reached. It needs root.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
LAB = Path(os.environ.get("LAB", "~/.cache/throughline-containers")).expanduser()
BASE = "docker.io/library/python:3.11-slim"
COMMAND_S = 600
BUILD_S = 3600


@dataclass(frozen=True, kw_only=True)
class Engine:
    name: str
    #: What stands before the words of a command, such as `docker`.
    command: tuple[str, ...]
    compose: tuple[str, ...]
    kit: str | None = None

    def run(self, *words: str, timeout_s: float = COMMAND_S) -> str:
        """What the command says. Raises `AssertionError` with its complaints."""
        return call([*self.command, *words], timeout_s=timeout_s)

    def inspect(self, container: str) -> Any:
        return json.loads(self.run("inspect", container))[0]

    def build(self, folder: Path, tag: str) -> None:
        if self.kit is None:
            self.run("build", "--tag", tag, str(folder), timeout_s=BUILD_S)
            return
        call([self.kit, "build", str(folder)], timeout_s=BUILD_S)
        self.run("tag", "localhost/throughline:latest", tag)

    def has_image(self, tag: str) -> bool:
        return _succeeds([*self.command, "image", "inspect", tag])

    def is_healthy(self, container: str) -> bool:
        """As its own check says. Where nobody runs the checks, run it now. No check: it runs."""
        details = self.inspect(container)
        if not details["Config"].get("Healthcheck"):
            return bool(details["State"]["Running"])
        if self.kit is not None:
            return _succeeds([*self.command, "healthcheck", "run", container])
        return str(details["State"]["Health"]["Status"]) == "healthy"


def call(
    words: Sequence[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: IO[bytes] | None = None,
    timeout_s: float = COMMAND_S,
) -> str:
    done = subprocess.run(
        words,
        check=False,
        cwd=folder,
        env=os.environ | (environment or {}),
        stdin=stdin or subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout_s,
    )
    output, complaint = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    assert done.returncode == 0, f"{' '.join(words)}: {output[-2000:]} {complaint[-4000:]}"
    return output


def find_engine() -> Engine | None:
    if _is_there("docker", "info") and _is_there("docker", "compose", "version"):
        return Engine(name="docker", command=("docker",), compose=("docker", "compose"))
    kit = os.environ.get("CONTAINER_KIT") or str(ROOT.parent / "shared/containers/kit")
    if os.geteuid() == 0 and os.access(kit, os.X_OK):
        return _prepare(kit)
    return None


def _prepare(kit: str) -> Engine:
    engine = Engine(
        name="podman",
        command=(kit, "do", "podman"),
        compose=(kit, "do", str(LAB / "venv/bin/podman-compose")),
        kit=kit,
    )
    if not engine.has_image(BASE):
        call([kit, "bases"], timeout_s=BUILD_S)
    return engine


def _is_there(*words: str) -> bool:
    if shutil.which(words[0]) is None:
        return False
    return _succeeds(words)


def _succeeds(words: Sequence[str]) -> bool:
    done = subprocess.run(words, check=False, capture_output=True, timeout=COMMAND_S)
    return done.returncode == 0
