from __future__ import annotations

import os
from pathlib import Path

import pytest

from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.folders import fits_socket, make_data_folder, make_socket_folder
from supervisor.embedded.owner import find_owner
from tests.integration.supervisor.embedded.conftest import Folders

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs them as another account")


def test_sockets_are_beside_the_data_where_the_path_is_short(folders: Folders) -> None:
    assert folders.sockets == folders.data / "run"


def test_a_deep_data_folder_gets_a_short_private_one_elsewhere(folders: Folders) -> None:
    deep = make_data_folder(folders.data / ("d" * 100), folders.owner)
    sockets = make_socket_folder(deep, folders.owner)
    try:
        status = sockets.stat()
        assert fits_socket(sockets)
        assert (status.st_mode & 0o777, status.st_uid) == (0o700, folders.owner.uid)
        assert sockets == make_socket_folder(deep, folders.owner)
    finally:
        sockets.rmdir()


@only_root
def test_a_folder_that_somebody_else_put_there_is_refused(folders: Folders) -> None:
    deep = make_data_folder(folders.data / ("d" * 100), folders.owner)
    sockets = make_socket_folder(deep, folders.owner)
    os.chown(sockets, 12345, 12345)
    try:
        with pytest.raises(EmbeddedServiceError, match="belongs to somebody else"):
            make_socket_folder(deep, folders.owner)
    finally:
        sockets.rmdir()


@only_root
def test_a_data_folder_that_postgres_cannot_reach_is_told_by_name(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(EmbeddedServiceError, match="set DATA_DIR to a folder"):
        make_data_folder(tmp_path / "data", find_owner())


@only_root
def test_root_runs_services_as_another_account() -> None:
    owner = find_owner()
    assert owner.is_other
    assert owner.uid != 0
    assert find_owner(["nobody"]).name == "nobody"


@only_root
@pytest.mark.parametrize("name", ["root", "no-such-account"])
def test_an_account_that_will_not_do_is_named(name: str) -> None:
    with pytest.raises(EmbeddedServiceError, match=f"to run as: {name} must exist"):
        find_owner([name])
