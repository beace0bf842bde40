"""`bin/compose-secrets` and `bin/pin-images`, each in a copy of the project's files."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from tests.deploy_files import ROOT

DIGEST = "sha256:" + "ab" * 32
BASES = {
    "library/python/manifests/3.11-slim",
    "nginxinc/nginx-unprivileged/manifests/1.28",
    "pgvector/pgvector/manifests/pg18",
    "valkey/valkey/manifests/9",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("bin", "deploy"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("secrets"))
    for name in ("Dockerfile", "docker-compose.yml"):
        text = re.sub(r"@sha256:[0-9a-f]+", "", (ROOT / name).read_text())
        (tmp_path / name).write_text(text)
    return tmp_path


def make_secrets(project: Path) -> tuple[str, dict[str, str]]:
    """What the command says, and what the files hold."""
    done = subprocess.run(
        [project / "bin/compose-secrets"], check=True, capture_output=True, text=True
    )
    files = (project / "deploy/secrets").iterdir()
    return done.stdout, {path.name: path.read_text().strip() for path in files}


class TestSecrets:
    def test_every_file_that_compose_mounts_is_made(self, project: Path) -> None:
        _, secrets = make_secrets(project)
        mounted = yaml.safe_load((project / "docker-compose.yml").read_text())["secrets"]
        assert {secret["file"] for secret in mounted.values()} == {
            f"deploy/secrets/{name}" for name in secrets
        }

    def test_they_fit_together(self, project: Path) -> None:
        _, secrets = make_secrets(project)
        owner, password = secrets["postgres_password"], secrets["redis_auth"].split()[1]
        assert secrets["migration_database_url"] == (
            f"postgresql://throughline:{owner}@postgres/throughline"
        )
        assert secrets["redis_url"] == f"redis://:{password}@redis:6379/0"
        assert owner not in secrets["database_url"]
        assert len(secrets["secret_key"]) >= 64
        assert len({owner, password, secrets["secret_key"]}) == 3

    def test_others_of_this_machine_cannot_enter_the_folder(self, project: Path) -> None:
        make_secrets(project)
        assert stat.S_IMODE((project / "deploy/secrets").stat().st_mode) == 0o700

    def test_a_second_run_changes_nothing(self, project: Path) -> None:
        assert make_secrets(project)[1] == make_secrets(project)[1]

    def test_what_an_earlier_versions_env_has_is_taken_over(self, project: Path) -> None:
        (project / ".env").write_text(
            "LLM_MODEL=gpt-4o-mini\nPOSTGRES_PASSWORD=first\nAPP_PASSWORD='second'\n"
            f'export SECRET_KEY="{"s" * 64}"\nFLOWER_BASIC_AUTH=me:flowers\n'
        )
        output, secrets = make_secrets(project)
        assert secrets["postgres_password"] == "first"  # noqa: S105 - the test's own
        assert secrets["database_url"].startswith("postgresql://throughline_app:second@")
        assert secrets["secret_key"] == "s" * 64
        assert secrets["flower_basic_auth"] == "me:flowers"
        assert "POSTGRES_PASSWORD APP_PASSWORD SECRET_KEY FLOWER_BASIC_AUTH" in output
        assert "second" not in output


class Registry(BaseHTTPRequestHandler):
    """Gives a token to everybody, and every image the same digest."""

    paths: set[str]

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"token": "for-you", "expires_in": 300}')

    def do_HEAD(self) -> None:
        self.paths.add(self.path.removeprefix("/v2/"))
        is_known = self.headers["Authorization"] == "Bearer for-you"
        self.send_response(200 if is_known else 401)
        self.send_header("Docker-Content-Digest", DIGEST)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def registry() -> Iterator[str]:
    Registry.paths = set()
    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def pin(project: Path, registry: str) -> str:
    environment = {"REGISTRY": registry, "AUTH": f"{registry}/token?x=y", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [project / "bin/pin-images"], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="bin/pin-images needs curl")
class TestPins:
    def test_every_base_image_is_written_with_its_digest(
        self, project: Path, registry: str
    ) -> None:
        assert pin(project, registry).count(DIGEST) == 4
        assert Registry.paths == BASES
        assert (
            f"ARG PYTHON_IMAGE=python:3.11-slim@{DIGEST}\n" in (project / "Dockerfile").read_text()
        )
        services = yaml.safe_load((project / "docker-compose.yml").read_text())["services"]
        assert services["postgres"]["image"] == f"pgvector/pgvector:pg18@{DIGEST}"
        assert services["web"]["image"] == "throughline"

    def test_a_second_run_replaces_the_digest(self, project: Path, registry: str) -> None:
        pin(project, registry)
        files = ("Dockerfile", "docker-compose.yml", "deploy/proxy/compose.yml")
        before = [(project / name).read_text() for name in files]
        pin(project, registry)
        assert [(project / name).read_text() for name in files] == before

    def test_nothing_is_written_when_the_registry_does_not_answer(self, project: Path) -> None:
        before = (project / "Dockerfile").read_text()
        with pytest.raises(subprocess.CalledProcessError):
            pin(project, "http://127.0.0.1:9")
        assert (project / "Dockerfile").read_text() == before
