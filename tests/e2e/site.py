"""The real processes of the Procfile, on a test's own services."""

from __future__ import annotations

import os
import random
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from supervisor.procfile import parse_procfile
from tests.exports import share_exports
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
START_S = 60
#: For httpx, which else reads the certificates of all authorities for each request: 40 ms.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
STOP_S = 40
ANSWER_S = 60


class Site:
    """Starts, kills and asks processes. The output of each is in `folder/NAME.log`."""

    def __init__(self, environment: Mapping[str, str], folder: Path, code: Path = ROOT) -> None:
        self._folder = folder
        self._code = code
        self._commands = parse_procfile((code / "Procfile").read_text())
        self.port = free_port()
        self.environment = (
            {"LOCAL_TOKEN": "off", "MEMORY_TRUST": "always"}
            | dict(environment)
            | {
                "PORT": str(self.port),
                "FLOWER_PORT": str(free_port()),
                "DATA_DIR": str(folder),
                "WORKER_LLM_THREADS": "4",
            }
        )
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *names: str) -> None:
        """Start processes of the Procfile; with `web`, wait until it answers.

        `worker-llm.2` is a second process of `worker-llm`.
        """
        for name in names:
            log = self.log_path(name).open("ab")
            self.running[name] = subprocess.Popen(
                ["sh", "-c", f"exec {self._commands[name.split('.')[0]]}"],
                cwd=self._code,
                env=os.environ | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            log.close()
        if "web" in names:
            wait_for(lambda: self.get("/readyz")["ready"], START_S, self.log("web"))

    def kill(self, name: str, sign: signal.Signals = signal.SIGKILL) -> int:
        """Send `sign` to the whole process group and wait for its end. Returns the exit code."""
        process = self.running.pop(name)
        os.killpg(process.pid, sign)
        return process.wait(STOP_S)

    def end(self, name: str) -> int:
        """Ask the main process alone to stop, which ends its own. Returns the exit code.

        To signal the whole group, too, may cut a process off that is sending its last spans.
        """
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(STOP_S)

    def revive(self) -> None:
        """Start a process that ended by itself again, as the supervisor does."""
        for name, process in list(self.running.items()):
            if process.poll() is not None:
                self.running.pop(name)
                self.start(name)

    def stop(self) -> None:
        for process in self.running.values():
            with suppress(ProcessLookupError):  # it has ended by itself
                os.killpg(process.pid, signal.SIGTERM)
        for name in list(self.running):
            process = self.running.pop(name)
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(STOP_S)

    def log_path(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def log(self, name: str) -> Callable[[], str]:
        path = self.log_path(name)
        return lambda: path.read_text(errors="replace")[-4000:] if path.exists() else ""

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The JSON answer; raises `httpx.HTTPStatusError` for errors."""
        url = self.url + path
        answer = httpx.request(method, url, json=body, timeout=ANSWER_S, verify=NO_TLS)
        try:
            return answer.raise_for_status().json()
        except httpx.HTTPStatusError as exc:
            exc.add_note(answer.text[:2000])
            raise

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def post(self, path: str, body: object) -> Any:
        return self.ask("POST", path, body)

    def patch(self, path: str, body: object) -> Any:
        return self.ask("PATCH", path, body)

    def delete(self, path: str) -> Any:
        return self.ask("DELETE", path)

    def chat(self, message: str, conversation_id: str | None = None) -> Any:
        place = {"conversation_id": conversation_id} if conversation_id else {}
        return self.post("/chat", {"message": message} | place)


@contextmanager
def running_site(
    environment: Mapping[str, str], folder: Path, *names: str, code: Path = ROOT
) -> Iterator[Site]:
    """`code`: of which version; all run with the packages that are installed."""
    share_exports(folder)
    site = Site(environment, folder, code)
    try:
        site.start(*names)
        yield site
    finally:
        site.stop()


def free_port() -> int:
    """Below the range of outgoing connections, so that none of those takes it meanwhile."""
    for port in random.SystemRandom().sample(range(10_000, 32_000), 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise AssertionError("a hundred ports are in use")
