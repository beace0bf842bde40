"""The account of the embedded services: Postgres refuses to run as root."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from supervisor.embedded.errors import EmbeddedServiceError

PREFERRED = ("postgres", "nobody")  #: of root: the account of all processes but the supervisor


class Identity(TypedDict, total=False):
    """The arguments of `subprocess.Popen` that make a child run as another account."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, kw_only=True)
class Owner:
    """An account of this machine."""

    name: str
    uid: int
    gid: int
    is_other: bool  #: whether it is another account than that of this process, which is then root

    @property
    def identity(self) -> Identity:
        return Identity(user=self.uid, group=self.gid, extra_groups=[]) if self.is_other else {}

    def make_private_folder(self, folder: Path) -> None:
        """Create `folder` (its parent exists), or restrict it to this account."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if self.is_other:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)
        folder.chmod(0o700)

    def can_run(self, *command: str | Path) -> bool:
        """Whether `command` succeeds as this account. Only a trial considers ACLs and mounts."""
        try:
            done = subprocess.run(
                [str(part) for part in command],
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=30,
                check=False,
                **self.identity,
            )
        except OSError:
            return False
        return done.returncode == 0


def find_owner(account_names: Sequence[str] = PREFERRED) -> Owner:
    """The account of this process; for root, the first of these that exists and is another."""
    if os.geteuid() != 0:
        return present_account()
    for name in account_names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Owner(name=name, uid=entry.pw_uid, gid=entry.pw_gid, is_other=True)
    raise EmbeddedServiceError(
        f"As root, Postgres needs another account to run as: {' or '.join(account_names)} must "
        "exist. Or start the site as another account, or set DATABASE_URL and REDIS_URL."
    )


def present_account() -> Owner:
    uid = os.geteuid()
    return Owner(name=_name_of(uid), uid=uid, gid=os.getegid(), is_other=False)


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:  # in a container an account may have a number only
        return str(uid)
