"""One site of containers for all tests of this folder, which come one after the other.

`make test-containers` runs them. CONTAINERS_IMAGE and CONTAINERS_PREVIOUS_IMAGE name images that
are there already and need not be built. CONTAINERS_PREVIOUS names the version to upgrade from: a
tag or commit. By default it is the last tag, or the last commit before the container files changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.containers.engine import ROOT, Engine, call, find_engine
from tests.containers.people import People, Person, sign_up
from tests.containers.stack import Stack, copy_project
from throughline_client import Throughline

MEASURED: dict[str, str] = {}
TOLD = "containers: measured"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.containers)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if MEASURED:
        terminalreporter.section(TOLD)
        for name, value in MEASURED.items():
            terminalreporter.write_line(f"{name}: {value}")


@pytest.fixture(scope="session")
def measured() -> dict[str, str]:
    """What is told at the end of the run."""
    return MEASURED


@pytest.fixture(scope="session")
def engine() -> Engine:
    candidate = find_engine()
    if candidate is None:
        pytest.skip("no container engine: neither Docker with Compose, nor CONTAINER_KIT as root")
    return candidate


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(ROOT, tmp_path_factory.mktemp("containers") / "project")


@pytest.fixture(scope="session")
def image(engine: Engine, project: Path) -> str:
    name = os.environ.get("CONTAINERS_IMAGE")
    if name:
        return name
    engine.build(project, "throughline:tested")
    return "throughline:tested"


@pytest.fixture(scope="session")
def previous(
    engine: Engine, image: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The files and the image of the version to upgrade from."""
    version = os.environ.get("CONTAINERS_PREVIOUS") or _last_other_version()
    unpacked = tmp_path_factory.mktemp("previous") / "unpacked"
    unpacked.mkdir()
    archive = subprocess.run(["git", "archive", version], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "x"], cwd=unpacked, input=archive.stdout, check=True)
    folder = copy_project(unpacked, unpacked.with_name("project"))
    tag = os.environ.get("CONTAINERS_PREVIOUS_IMAGE") or f"throughline:{version[:12]}"
    if not engine.has_image(tag):
        engine.build(folder, tag)
    return folder, tag


def _last_other_version() -> str:
    tags = _git("tag", "--sort=-creatordate", "--merged", "HEAD").split()
    if tags:
        return tags[0]
    changed = _git("log", "-1", "--format=%H", "--", "Dockerfile", "docker-compose.yml").strip()
    return _git("rev-parse", f"{changed}~1").strip()


def _git(*words: str) -> str:
    return call(["git", *words], folder=ROOT)


@pytest.fixture(scope="session")
def earlier_stack(engine: Engine, previous: tuple[Path, str]) -> Iterator[Stack]:
    """The earlier version, started with passwords as its documents say."""
    stack = Stack(engine, *previous)
    stack.down(volumes=True)
    stack.write_env(
        POSTGRES_PASSWORD="ownersword",
        APP_PASSWORD="appsword",
        SECRET_KEY="5" * 64,
        FLOWER_BASIC_AUTH="admin:flowers",
    )
    if (stack.folder / "bin/compose-secrets").exists():
        call([str(stack.folder / "bin/compose-secrets")])
    stack.up()
    yield stack
    stack.down(volumes=True)


@pytest.fixture(scope="session")
def stack(engine: Engine, project: Path, image: str, earlier_stack: Stack) -> Stack:
    """This version. It is started by the test of the upgrade, on the volumes of the other."""
    stack = Stack(engine, project, image)
    env = (earlier_stack.folder / ".env").read_text()
    (stack.folder / ".env").write_text(env)
    secrets = earlier_stack.folder / "deploy/secrets"
    if secrets.exists():
        shutil.copytree(secrets, stack.folder / "deploy/secrets")
    return stack


@pytest.fixture(scope="session")
def people(earlier_stack: Stack) -> Iterator[People]:
    """Three accounts, made on the earlier version, with API tokens."""
    link = re.findall(r'accounts.none_yet make_the_first="([^"]+)"', earlier_stack.log("web"))[0]
    sign_up(earlier_stack.url, link)
    persons = []
    for name in ("Olga", "Ada", "Ben"):
        token = json.loads(earlier_stack.in_web("token", "make", name, "--json"))["token"]
        persons.append(Person(name, Throughline(earlier_stack.url, token)))
    yield People(persons)
    for person in persons:
        person.site.close()
