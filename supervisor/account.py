"""The account of the processes: our own, or for root that of the embedded services."""

from __future__ import annotations

import compileall
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from shared.settings import Settings
from supervisor.embedded.owner import Owner, find_owner, present_account
from supervisor.local_model.model_file import PREFIX, find_path
from supervisor.mount_namespace import open_paths

#: Folders with modules that the processes load.
COMPILED = ("migrations", "shared", "web", "workers")

# Folders in DATA_DIR that the processes write. DATA_DIR itself belongs to our own account.
WRITABLE = ("embeddings", "flower", "home", "metrics")
STARTS = 'cd "$1" && exec "$2" -c "import gunicorn, psycopg2, shared"'
UNPRIVILEGED_PORTS = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")


def choose_account(settings: Settings, say: Callable[[str], None]) -> Owner:
    """Choose an account that can run the project, and create DATA_DIR if it is missing.

    If only root can run the project, it chooses root and passes `say` a warning.
    """
    owner = find_owner()
    if not owner.is_other:
        return owner
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    if settings.data_dir.stat().st_uid == os.geteuid():
        settings.data_dir.chmod(0o711)  # others may enter it, but not list it
    with suppress(OSError):  # `can_run` below tells whether it worked
        open_paths(_needed_paths(settings), owner)
    if owner.can_run("/bin/sh", "-c", STARTS, "sh", Path.cwd(), sys.executable):
        return owner
    say(
        f"The account {owner.name} cannot run {sys.executable} in {Path.cwd()}, so the site runs "
        "as root. Better put both where it can read them."
    )
    return present_account()


def give_folders(data_dir: Path, account: Owner) -> None:
    """Give the account its folders, with the files that root wrote there in earlier versions."""
    if not account.is_other:
        return
    for name in WRITABLE:
        folder = data_dir / name
        is_new = not folder.exists() or folder.lstat().st_uid != account.uid
        account.make_private_folder(folder)
        if is_new:
            for path in folder.rglob("*"):
                os.chown(path, account.uid, account.gid, follow_symlinks=False)


def account_environment(data_dir: Path, account: Owner) -> dict[str, str]:
    """A HOME for the account, because it cannot read root's."""
    if not account.is_other:
        return {}
    return {"HOME": str(data_dir / "home"), "USER": account.name, "LOGNAME": account.name}


def may_listen(port: int, account: Owner) -> bool:
    """Only root may listen on low ports. Port 0 is any free one."""
    if not account.is_other or port == 0:
        return True
    try:
        return port >= int(UNPRIVILEGED_PORTS.read_text())
    except OSError:
        return port >= 1024


def _needed_paths(settings: Settings) -> list[Path]:
    """The folders of Python, its packages, the project and its data, without nested ones."""
    places = [Path.cwd(), settings.data_dir, Path(sys.prefix), Path(sys.base_prefix)]
    places += map(Path, sys.path)
    if Path(settings.embedding_model).is_dir():
        places.append(Path(settings.embedding_model))
    if settings.llm_model.startswith(PREFIX):
        places.append(find_path(settings.llm_model).parent)
    folders = {place.resolve() for place in places if place.is_dir()}
    links = {place.absolute() for place in places if place.is_dir()}
    return sorted(place for place in folders | links if not folders & set(place.parents))


def compile_project(project: Path) -> None:
    """Compile what has changed since the last start, for an account that cannot write there.

    Python keeps what it has compiled beside the source. Another account than the files' owner
    cannot, so each of its processes would compile everything again at every start. Files that
    cannot be written stay as they are.
    """
    for folder in COMPILED:
        compileall.compile_dir(project / folder, quiet=2)
