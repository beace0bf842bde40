"""The Dockerfile agrees with what the image copies, installs and starts."""

from __future__ import annotations

import re

import yaml

from supervisor.environment import DEFAULTS
from tests.deploy_files import PROCESSES, ROOT, as_run_by_sh

DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_image_alone_serves_as_the_procfile_does() -> None:
    [command] = re.findall(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)
    assert as_run_by_sh(yaml.safe_load(command)) == f"exec {PROCESSES['web']}"


def test_the_image_has_the_environment_that_the_supervisor_gives() -> None:
    block = DOCKERFILE[DOCKERFILE.index("ENV ") :].split("\n# ", 1)[0]
    environment = dict(re.findall(r"([A-Z_]+)=(\S+)", block))
    assert environment.items() >= DEFAULTS.items()


def test_the_image_has_the_torch_that_is_installed_elsewhere() -> None:
    [pin] = re.findall(r'torch="(torch==[\d.]+)"', (ROOT / "bin/install").read_text())
    assert f"install --no-cache-dir {pin}" in DOCKERFILE


def test_the_build_sees_every_file_that_the_image_copies() -> None:
    lines = re.findall(r"^COPY (?!--)(.*) \S+$", DOCKERFILE, re.MULTILINE)
    copied = {path for line in lines for path in line.split()}
    let_in = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert sorted(copied) == sorted(let_in)
    assert all((ROOT / path).exists() for path in copied)


def test_all_stages_begin_with_the_one_base_that_can_be_pinned() -> None:
    bases = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", DOCKERFILE, re.MULTILINE)
    stages = {name for _, name in bases if name}
    assert {base for base, _ in bases} - stages == {"${PYTHON_IMAGE}"}
    assert re.search(
        r"^ARG PYTHON_IMAGE=python:3\.11-slim(@sha256:[0-9a-f]{64})?$", DOCKERFILE, re.M
    )


def test_the_image_runs_as_an_account_of_its_own_and_owns_nothing_but_what_it_writes() -> None:
    last = DOCKERFILE.rsplit("\nFROM ", 1)[1]
    [uid] = re.findall(r"useradd --uid (\d+) ", last)
    assert f"\nUSER {uid}:{uid}\n" in last
    assert int(uid) >= 10_000
    assert "--chown" not in last
    assert re.findall(r"install -d -o throughline -g throughline (.*)", last) == [
        ".data .data/metrics /backups"
    ]


def test_the_image_lists_what_is_in_it() -> None:
    assert "cyclonedx-py environment" in DOCKERFILE
    assert "COPY --from=listed /app/sbom.json sbom.json" in DOCKERFILE
