"""A supervised site to which words are said that can be found again wherever they are written."""

from __future__ import annotations

import socket
from contextlib import closing, suppress
from dataclasses import dataclass, field

import httpx
import psycopg2

from tests.e2e.site import NO_TLS
from tests.e2e.supervised import Supervised
from tests.fakes.openai_server import FakeOpenAI
from tests.waiting import PATIENCE_S

MARK = "Zinnober"
WITH_DATA = ("postgres", "valkey", "embeddings")  # what is kept there is no log


@dataclass
class Marked:
    """A site, what is said to it, and every marker so far."""

    supervisor: Supervised
    model: FakeOpenAI
    markers: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.supervisor.environment['PORT']}"

    def mark(self, what: str) -> str:
        """A word for `what`, of letters only, so that no layer spells it otherwise."""
        self.markers.append(f"{MARK}{what}")
        return self.markers[-1]

    def ask(self, method: str, path: str, **more: object) -> httpx.Response:
        return httpx.request(method, self.url + path, timeout=60, verify=NO_TLS, **more)  # type: ignore[arg-type]

    def chat(self, text: str, conversation_id: str | None = None) -> httpx.Response:
        place = {"conversation_id": conversation_id} if conversation_id else {}
        return self.ask("POST", "/chat", json={"message": text} | place)

    def send_raw(self, text: str) -> None:
        """To the port itself: what no client would send."""
        address = ("127.0.0.1", int(self.supervisor.environment["PORT"]))
        with socket.create_connection(address, timeout=PATIENCE_S) as line:
            line.sendall(text.encode())
            with suppress(OSError):
                line.recv(4096)

    @property
    def database_url(self) -> str:
        return f"postgresql://throughline@/throughline?host={self.supervisor.folder}/.data/run"

    def run_sql(self, statement: str) -> None:
        with closing(psycopg2.connect(self.database_url)) as connection, connection:
            connection.cursor().execute(statement)

    def list_texts(self) -> dict[str, str]:
        """What all processes said, and every file beside the databases' own."""
        data = self.supervisor.folder / ".data"
        data_files = [
            path for path in data.rglob("*") if path.relative_to(data).parts[0] in WITH_DATA
        ]
        logs = [path for path in data_files if path.suffix == ".log" or "log" in path.parts]
        others = [path for path in self.supervisor.folder.rglob("*") if path not in set(data_files)]
        return {
            str(path): path.read_text(errors="replace")
            for path in [self.supervisor.said_path, *logs, *others]
            if path.is_file()
        }
