from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.embedded.owner import Owner, find_owner
from supervisor.mount_namespace import find_closed_folder, open_paths
from tests.services import private_folder

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has a way to open")
STRANGER = Owner(name="stranger", uid=4_000_001, gid=4_000_001, is_other=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    with private_folder() as folder:
        yield folder


def test_the_first_folder_that_may_not_be_passed_is_found(folder: Path) -> None:
    place = folder / "open" / "closed" / "closed too" / "place"
    place.mkdir(parents=True)
    for path, mode in zip(place.parents, (0o700, 0o700, 0o711), strict=False):
        path.chmod(mode)
    assert find_closed_folder(place, STRANGER) == folder / "open" / "closed"
    (folder / "open" / "closed").chmod(0o711)
    assert find_closed_folder(place, STRANGER) == place.parent
    place.parent.chmod(0o711)
    assert find_closed_folder(place, STRANGER) is None


@only_root
def test_what_is_needed_can_be_reached_and_nothing_beside_it(folder: Path) -> None:
    owner = find_owner()
    closed, place = folder / "closed", folder / "closed" / "place"
    place.mkdir(parents=True)
    (place / "file").write_text("needed")
    (closed / "secret").write_text("private")
    place.chmod(0o755)
    closed.chmod(0o700)
    pid = os.fork()
    if pid == 0:  # the child has a mount namespace of its own
        try:
            open_paths([place], owner)
            is_reached = owner.can_run("cat", place / "file")
            is_hidden = not (closed / "secret").exists()
            os._exit(0 if is_reached and is_hidden else 1)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == 1 and not _may_mount():
        pytest.skip("this machine lets nobody have a view of their own")
    assert status == 0
    assert (closed / "secret").read_text() == "private"
    assert not owner.can_run("cat", place / "file")


def _may_mount() -> bool:
    """CAP_SYS_ADMIN, bit 21 of the effective set."""
    [line] = [
        line for line in Path("/proc/self/status").read_text().splitlines() if "CapEff" in line
    ]
    return bool(int(line.split()[1], 16) & (1 << 21))
