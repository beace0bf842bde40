"""The folders of the embedded services' data and sockets."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from pathlib import Path

from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.owner import Owner

# A socket's path may have 103 bytes on macOS and 107 on Linux. The longest name in the folder is
# `.s.PGSQL.5432.lock`. URLs and libpq take these characters without escaping.
_SOCKET_FOLDER = re.compile(r"/[A-Za-z0-9._/-]{1,80}")


def make_data_folder(folder: Path, owner: Owner) -> Path:
    """DATA_DIR as an absolute path: created if it is missing, and open for `owner` to enter."""
    folder = folder.resolve()
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o711 if owner.is_other else 0o700)  # others may enter it, but not list it
    if owner.is_other and not owner.can_run("/bin/sh", "-c", 'cd "$1"', "sh", folder):
        raise EmbeddedServiceError(
            f"The account {owner.name}, which Postgres runs as when root starts it, cannot enter "
            f"{folder}: set DATA_DIR to a folder that it can reach (for example /var/lib/"
            "throughline), or open the folders above it with chmod o+x."
        )
    return folder


def make_socket_folder(data_folder: Path, owner: Owner) -> Path:
    """A private folder for sockets: `data_folder`/run, or a temporary one if that path is long."""
    folder = data_folder / "run"
    if not fits_socket(folder):
        digest = hashlib.sha256(os.fsencode(data_folder)).hexdigest()[:12]
        folder = Path(tempfile.gettempdir(), f"throughline-{owner.uid}-{digest}")
        _refuse_foreign(folder, owner)
    owner.make_private_folder(folder)
    return folder


def fits_socket(folder: Path) -> bool:
    return _SOCKET_FOLDER.fullmatch(str(folder)) is not None


def _refuse_foreign(folder: Path, owner: Owner) -> None:
    """Raise if another account made `folder`: anyone can make folders in the temporary one."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (owner.uid, os.geteuid()):
        raise EmbeddedServiceError(f"{folder} is in the way and belongs to somebody else.")
