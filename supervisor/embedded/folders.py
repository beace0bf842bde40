"""Where the embedded services keep their data and sockets."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from pathlib import Path

from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.owner import Owner

# A socket's path may have 103 bytes on macOS and 107 on Linux; `.s.PGSQL.5432.lock` is the longest
# name that we put behind it. The characters are those that every URL and libpq take as they are.
_SOCKET_FOLDER = re.compile(r"/[A-Za-z0-9._/-]{1,80}")


def make_data_folder(folder: Path, owner: Owner) -> Path:
    """Create DATA_DIR where it is missing and make sure that `owner` can pass it. Absolute path."""
    folder = folder.resolve()
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o711 if owner.is_other else 0o700)  # to be passed, not to be listed
    if owner.is_other and not owner.can_run("/bin/sh", "-c", 'cd "$1"', "sh", folder):
        raise EmbeddedServiceError(
            f"The account {owner.name}, which Postgres runs as when root starts it, cannot enter "
            f"{folder}: set DATA_DIR to a folder that it can reach (for example /var/lib/"
            "throughline), or open the folders above it with chmod o+x."
        )
    return folder


def make_socket_folder(data_folder: Path, owner: Owner) -> Path:
    """A private folder for sockets: `data_folder`/run, or a short one elsewhere if that is deep."""
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
    """Anyone can make a folder in the temporary one: take none that another account made."""
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (owner.uid, os.geteuid()):
        raise EmbeddedServiceError(f"{folder} is in the way and belongs to somebody else.")
