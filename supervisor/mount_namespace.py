"""Make paths below closed folders reachable for another account (Linux, as root).

Another account cannot reach a project or a Python below /root, and opening /root to everybody
would change the machine. Instead the supervisor gets a mount namespace of its own. In it a closed
folder contains only what the processes need, at the usual paths.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from supervisor.embedded.owner import Owner

CLONE_NEWNS = 0x00020000
MNT_DETACH = 0x2
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x1000, 0x4000, 0x40000


def find_closed_folder(path: Path, owner: Owner) -> Path | None:
    """The first folder above `path` that `owner` may not enter."""
    for folder in reversed(path.parents):
        if not _may_pass(folder.stat(), owner):
            return folder
    return None


def open_paths(paths: Iterable[Path], owner: Owner) -> None:
    """Make `paths` reachable for `owner`. Raises OSError if the system does not allow it.

    The paths must exist and must not be nested. Whatever is written into a closed folder beside
    them is lost at the end.
    """
    closed = {path: find_closed_folder(path, owner) for path in paths}
    needed = {path: folder for path, folder in closed.items() if folder is not None}
    if not needed:
        return
    _enter_new_namespace()
    handles = {path: os.open(path, os.O_PATH) for path in needed}
    covered: list[Path] = []
    try:
        for folder in sorted(set(needed.values())):
            _mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0711")
            covered.append(folder)
        for path, handle in handles.items():
            path.mkdir(parents=True)
            _mount(f"/proc/self/fd/{handle}", path, "", MS_BIND | MS_REC, "")
    except OSError:
        for folder in covered:
            _libc().umount2(os.fsencode(folder), MNT_DETACH)
        raise
    finally:
        for handle in handles.values():
            os.close(handle)
    os.chdir(os.getcwd())  # into the new mounts


def _may_pass(status: os.stat_result, owner: Owner) -> bool:
    if status.st_uid == owner.uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == owner.gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _enter_new_namespace() -> None:
    if sys.platform != "linux":
        raise OSError("only Linux has this")
    if _libc().unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    _mount("none", Path("/"), "", MS_REC | MS_PRIVATE, "")


def _mount(source: str, target: Path, kind: str, flags: int, options: str) -> None:
    arguments = (source.encode(), os.fsencode(target), kind.encode() or None)
    if _libc().mount(*arguments, ctypes.c_ulong(flags), options.encode() or None) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")
