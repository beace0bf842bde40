"""A second host, imitated by a network namespace that a pair of virtual cards joins to this one.

Postgres and Redis then listen on this host's card, too. The link is cut as a broken switch cuts
it: packets vanish, and neither side is told. (Each side is told a wrong hardware address of the
other, because that needs nothing of the kernel but the cards.)
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from supervisor.embedded.postgres import Postgres
from supervisor.embedded.runnable import Runnable
from tests.e2e.breakable import Breakable, BreakableServices
from tests.e2e.site import free_port

NETNS_EXEC = ("ip", "netns", "exec")
NOBODY = "02:00:00:00:00:99"  # a hardware address that no card has


@dataclass(frozen=True, kw_only=True)
class Card:
    """One end of the link."""

    name: str
    address: str
    #: Before `ip` commands on its side.
    ip: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class SecondHost:
    """A host that reaches Postgres and Redis over the link alone."""

    #: Before commands that run there.
    inside: Sequence[str]
    #: `DATABASE_URL` and `REDIS_URL`, as they are called there.
    environment: Mapping[str, str]
    ends: tuple[Card, Card]

    def cut(self) -> None:
        for end, other in (self.ends, self.ends[::-1]):
            _run(*end.ip, "neigh", "replace", other.address, "lladdr", NOBODY, "dev", end.name,
                 "nud", "permanent")  # fmt: skip

    def heal(self) -> None:
        for end, other in (self.ends, self.ends[::-1]):
            _run(*end.ip, "neigh", "del", other.address, "dev", end.name)


class Listening:
    """A service that gets more arguments, such as those for a port."""

    def __init__(self, service: Runnable, *arguments: str) -> None:
        self._service = service
        self._arguments = arguments
        self.name, self.stop_signal = service.name, service.stop_signal
        self.folder, self.environment = service.folder, service.environment
        self.identity = service.identity
        self.prepare, self.is_ready = service.prepare, service.is_ready

    def command(self) -> list[str]:
        return [*self._service.command(), *self._arguments]


@contextmanager
def second_host(services: BreakableServices) -> Iterator[SecondHost | None]:
    """None where this account may make no network namespace.

    Postgres and Redis are started anew, so that they also listen on the link.
    """
    with ExitStack() as stack:
        ends = _make_link(stack)
        if ends is None:
            yield None
            return
        here, there = ends
        port = free_port()
        _let_in(services.postgres, there)
        _restart(services.postgres, "-c", f"listen_addresses={here.address}")
        _restart(services.valkey, "--bind", here.address, "--port", str(port),
                 "--protected-mode", "no")  # fmt: skip
        url = urlsplit(services.environment["DATABASE_URL"])
        yield SecondHost(
            inside=(*NETNS_EXEC, there.name),
            environment={
                "DATABASE_URL": f"postgresql://{url.username}@{here.address}{url.path}",
                "REDIS_URL": f"redis://{here.address}:{port}/0",
            },
            ends=ends,
        )


def _make_link(stack: ExitStack) -> tuple[Card, Card] | None:
    """The ends on this host and on the second, whose namespace is named as its card."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        return None
    number = os.getpid() % 250
    name = f"tl{os.getpid()}"
    here = Card(name=f"{name}a", address=f"10.199.{number}.1", ip=("ip",))
    there = Card(name=f"{name}b", address=f"10.199.{number}.2", ip=("ip", "-n", f"{name}b"))
    try:
        _run("ip", "netns", "add", there.name)
    except subprocess.CalledProcessError:
        return None
    stack.callback(_run, "ip", "netns", "del", there.name)  # its cards go with it
    _run("ip", "link", "add", here.name, "type", "veth",
         "peer", "name", there.name, "netns", there.name)  # fmt: skip
    for end in (here, there):
        _run(*end.ip, "addr", "add", f"{end.address}/30", "dev", end.name)
        _run(*end.ip, "link", "set", end.name, "up")
    _run(*there.ip, "link", "set", "lo", "up")
    return here, there


def _let_in(postgres: Breakable, guest: Card) -> None:
    """Let the roles of the site sign in from the second host, without a password."""
    assert isinstance(postgres.service, Postgres)  # noqa: S101 - as breakable_services makes it
    rules = postgres.service.data_folder / "pg_hba.conf"
    with rules.open("a") as file:
        file.write(f"host all all {guest.address}/32 trust\n")


def _restart(service: Breakable, *arguments: str) -> None:
    service.stop()
    service.service = Listening(service.service, *arguments)
    service.start()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
