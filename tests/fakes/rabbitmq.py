"""A real RabbitMQ of a test's own, from Debian's packages, in a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import amqp

from supervisor.embedded.owner import Identity
from tests.e2e.breakable import Breakable
from tests.e2e.site import free_port
from tests.fakes.certificates import write_certificates
from tests.services import private_folder

# Installed by Debian, or unpacked by bin/debian-tools.
ROOTS = (Path("/"), Path(sys.prefix) / "debian")
SERVERS = "usr/lib/rabbitmq/lib/rabbitmq_server-*"
EMULATORS = "usr/lib/erlang/erts-*/bin"


def find_root() -> Path | None:
    whole = (root for root in ROOTS if any(root.glob(SERVERS)) and any(root.glob(EMULATORS)))
    return next(whole, None)


ROOT = find_root()
NO_RABBITMQ = "no rabbitmq-server: see bin/debian-tools"


class RabbitMQ:
    """One node. Its own scripts expect to be installed, so Erlang is started as they do it."""

    name = "rabbitmq"
    stop_signal = signal.SIGTERM
    folder = "/"

    def __init__(self, root: Path, folder: Path) -> None:
        self.identity = Identity()
        self._root = root
        self._folder = folder
        self._port, self._distribution_port, self.finder_port = (free_port() for _ in range(3))
        self._tls_port = free_port()
        self.url = f"amqp://guest:guest@127.0.0.1:{self._port}//"

    def tls_url(self, *, is_known: bool = True) -> str:
        """`is_known`: with the client's own certificate."""
        client_options = (
            f"&ssl_certfile={self._folder}/client.pem&ssl_keyfile={self._folder}/client.key"
        )
        known = f"ssl_ca_certs={self._folder}/ca.pem{client_options if is_known else ''}"
        return f"amqps://guest:guest@127.0.0.1:{self._tls_port}//?{known}"

    @cached_property
    def programs(self) -> Path:
        """The folder of Erlang's programs."""
        return next(self._root.glob(EMULATORS))

    @property
    def environment(self) -> Mapping[str, str]:
        (server,) = self._root.glob(SERVERS)
        return {
            "HOME": str(self._folder),  # of Erlang's cookie
            "PATH": f"{self.programs}{os.pathsep}{os.defpath}",
            "ROOTDIR": str(self._root / "usr/lib/erlang"),
            "BINDIR": str(self.programs),
            "EMU": "beam",
            "PROGNAME": "erl",
            "ERL_LIBS": str(server / "plugins"),
            "ERL_MAX_ETS_TABLES": "50000",
            "ERL_EPMD_PORT": str(self.finder_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "SYS_PREFIX": "",
            "RABBITMQ_HOME": str(server),
            "RABBITMQ_NODENAME": "throughline@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_DIST_PORT": str(self._distribution_port),
            "RABBITMQ_MNESIA_BASE": str(self._folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self._folder),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_PLUGINS_DIR": str(server / "plugins"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._folder / "plugins"),
            "RABBITMQ_CONFIG_FILE": str(self._folder / "rabbitmq"),
            "RABBITMQ_GENERATED_CONFIG_DIR": str(self._folder / "schema"),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
        }

    def prepare(self) -> None:
        self._folder.mkdir(exist_ok=True)
        write_certificates(self._folder)
        lines = [
            f"listeners.ssl.1 = 127.0.0.1:{self._tls_port}",
            f"ssl_options.cacertfile = {self._folder}/ca.pem",
            f"ssl_options.certfile = {self._folder}/server.pem",
            f"ssl_options.keyfile = {self._folder}/server.key",
            "ssl_options.verify = verify_peer",
            "ssl_options.fail_if_no_peer_cert = true",
        ]
        (self._folder / "rabbitmq.conf").write_text("\n".join(lines) + "\n")

    def command(self) -> list[str]:
        boot = "-noinput -s rabbit boot -boot start_sasl +W w +S 1:1 +sbwt none +P 100000"
        logs = ["-syslog", "logger", "[]", "-syslog", "syslog_error_logger", "false"]
        return [str(self.programs / "erlexec"), *boot.split(), *logs]

    def is_ready(self) -> bool:
        host = f"127.0.0.1:{self._port}"
        try:
            with amqp.Connection(host, connect_timeout=2):
                return True
        except (OSError, amqp.AMQPError):
            return False


@contextmanager
def running_rabbitmq() -> Iterator[tuple[Breakable, str]]:
    """A node that a test may kill and start again, and its URL."""
    assert ROOT is not None
    with private_folder() as folder:
        node = RabbitMQ(ROOT, folder / "node")
        breakable = Breakable(node, folder / "log")
        # Nodes find each other by this program. Otherwise the node starts one, which outlives it.
        finder = subprocess.Popen(
            [str(node.programs / "epmd"), "-address", "127.0.0.1", "-port", str(node.finder_port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            breakable.start()
            yield breakable, node.url
        finally:
            breakable.stop()
            finder.kill()
            finder.wait()
