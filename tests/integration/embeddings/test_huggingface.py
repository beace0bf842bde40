"""Download a model by its hub name, from a small hub on loopback."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

NAME = "someone/tiny"
REVISION = "1" * 40


class HubHandler(BaseHTTPRequestHandler):
    """The part of the hub's protocol that its client uses to download a snapshot."""

    files: dict[str, bytes]
    requests: list[str]

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.requests.append(f"{self.command} {self.path}")
        if self.path.startswith(f"/api/models/{NAME}/tree/"):
            self._answer(json.dumps([self._entry(name) for name in self.files]).encode())
        elif self.path.startswith(f"/api/models/{NAME}"):
            siblings = [{"rfilename": name} for name in self.files]
            facts = {"id": NAME, "sha": REVISION, "siblings": siblings}
            self._answer(json.dumps(facts).encode())
        else:
            self._answer(self.files[self.path.removeprefix(f"/{NAME}/resolve/{REVISION}/")])

    def _entry(self, name: str) -> dict[str, object]:
        return {"type": "file", "path": name, "size": len(self.files[name]), "oid": "0" * 40}

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", REVISION)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub(tiny_model: Path) -> Iterator[Any]:
    files = {
        str(path.relative_to(tiny_model)): path.read_bytes()
        for path in tiny_model.rglob("*")
        if path.is_file()
    }
    handler = type("Handler", (HubHandler,), {"files": files, "requests": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield handler, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def locate(endpoint: str, store: Path, *, download: bool) -> subprocess.CompletedProcess[str]:
    """In a child process, because the client reads its environment only once."""
    code = (
        "from shared.embeddings.model_properties import dimension, model_name; "
        "from shared.settings import read_settings; "
        "s = read_settings(); print(model_name(s), dimension(s))"
    )
    environment = {
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(store),
        "HF_HUB_OFFLINE": "0",
        "EMBEDDING_MODEL": NAME,
        "EMBEDDING_DOWNLOAD": str(download),
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_hub_model_is_fetched_once_and_used_from_the_store_after(
    hub: Any, tmp_path: Path
) -> None:
    handler, endpoint = hub
    handler.files |= dict.fromkeys(("onnx/model.onnx", "pytorch_model.bin"), b"not needed")
    first = locate(endpoint, tmp_path, download=True)
    assert first.stdout.startswith(f"{NAME}@"), first.stderr
    assert first.stdout.endswith(" 384\n")
    assert not [path for path in handler.requests if path.endswith((".onnx", ".bin"))]
    handler.requests.clear()
    again = locate(endpoint, tmp_path, download=False)
    assert again.stdout == first.stdout, again.stderr
    assert locate(endpoint, tmp_path, download=True).stdout == first.stdout
    assert handler.requests == []


def test_nothing_is_asked_of_the_network_unless_it_is_allowed(hub: Any, tmp_path: Path) -> None:
    handler, endpoint = hub
    refused = locate(endpoint, tmp_path, download=False)
    assert refused.returncode == 1
    assert "Set EMBEDDING_DOWNLOAD=true to fetch it." in refused.stderr
    assert handler.requests == []


def test_a_hub_repository_without_a_model_is_refused(hub: Any, tmp_path: Path) -> None:
    handler, endpoint = hub
    del handler.files["modules.json"]
    refused = locate(endpoint, tmp_path, download=True)
    assert refused.stderr.splitlines()[-1] == (
        f"EMBEDDING_MODEL={NAME} is not a sentence-transformers model with safetensors weights."
    )


def test_a_hub_that_cannot_be_reached_is_told_in_one_line(tmp_path: Path) -> None:
    refused = locate("http://127.0.0.1:9", tmp_path, download=True)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"EMBEDDING_MODEL={NAME} could not be fetched: ")
    assert refused.stderr.count("\n") == 1


def test_a_fetch_that_was_cut_short_is_taken_up_again(hub: Any, tmp_path: Path) -> None:
    _, endpoint = hub
    whole = locate(endpoint, tmp_path, download=True)
    [weights] = tmp_path.glob("hub/models--*/snapshots/*/model.safetensors")
    weights.unlink()
    assert locate(endpoint, tmp_path, download=False).returncode == 1
    assert locate(endpoint, tmp_path, download=True).stdout == whole.stdout
    assert weights.exists()
