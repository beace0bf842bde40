"""Whatever lies in a backup's files, it is refused in a sentence before it is used."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.maintenance.backup.backup_faults import BackupError
from shared.maintenance.backup.folder import list_names, read_manifest, remove_partial
from shared.maintenance.backup.sealing import seal, unseal
from shared.maintenance.backup.site_secrets import SiteSecrets
from shared.maintenance.commands import CommandError

DUMP = b"a dump"
SUM = "2a53b3a0d0f2b4ac4a0f3a0cc2b5ec5f5f7b5d1c5c8ad3f1f6b9b5e3d4c0aa11"
MANIFEST = {
    "format": 1,
    "made_at": "2026-11-28T03:00:00+00:00",
    "schema_revision": "0058",
    "embedding_model": "model",
    "rows": {"messages": 1},
    "database_bytes": 1,
    "sha256": {"database.dump": SUM},
}
SEALED = {"kdf": "scrypt", "cost": 1024, "salt": "00" * 16, "token": "gAAA"}
HOSTILE: list[object] = [
    None, True, False, 0, -1, 1, 3, 2**40, 2**63, 10**400, 0.5, 1e308, "", "x", "0" * 100_000,
    "../../etc/passwd", "/dev/zero", "a\x00b", "\ud800", "٣" * 4, "0058\n", [], {}, [[]],
    {"a": {}}, {"database.dump": SUM, "../x": SUM}, {"/dev/zero": SUM}, {"secrets.json": SUM},
    {"messages": -1}, {"messages": True}, {"messages": "1"}, {"messages": 1.0}, {"a b": 1},
    {f"kind_{'x' * number}": 1 for number in range(41)},
]  # fmt: skip
RAW = [
    b"", b"\x00", b"\xff\xfe", b"null", b"[]", b"1", b"NaN", b'"x"', b"{", b"{}", b"[" * 60_000,
    b'{"a":' * 12_000, b'{"format": 1, "format": 1}', b'{"format": NaN}', b'{"format": Infinity}',
    b'{"format": ' + b"9" * 5_000 + b"}", b" " * 5_000_000, b"{}" * 2,
]  # fmt: skip

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(HOSTILE),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def put(folder: Path, manifest: bytes, sealed: bytes = b"") -> None:
    (folder / "manifest.json").write_bytes(manifest)
    (folder / "database.dump").write_bytes(DUMP)
    (folder / "secrets.json").write_bytes(sealed)


def check_refused(folder: Path) -> None:
    with pytest.raises(BackupError, match=r"Nothing was changed\.$"):
        read_manifest(folder)
    with pytest.raises(CommandError, match=r"Nothing was changed\.$"):
        unseal(folder / "secrets.json", "words")


@pytest.mark.parametrize("content", RAW, ids=lambda content: repr(content[:20]))
def test_what_is_no_described_json_is_refused(content: bytes, tmp_path: Path) -> None:
    put(tmp_path, content, content)
    check_refused(tmp_path)


@settings(deadline=None)
@given(
    st.sampled_from([*MANIFEST, "another"]),
    st.sampled_from([*SEALED, "another"]),
    st.sampled_from(HOSTILE) | json_values,
)
def test_any_value_in_any_place_is_refused_in_a_sentence(
    field: str, sealed_field: str, content: object
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        put(
            Path(folder),
            json.dumps(MANIFEST | {field: content}).encode(),
            json.dumps(SEALED | {sealed_field: content}).encode(),
        )
        check_refused(Path(folder))


@pytest.mark.usefixtures("quick_seals")
@pytest.mark.parametrize("cost", [2**40, 2**19, 2**9, 1000, -1, 0, 1, 1024.0, "1024", None])
def test_a_cost_out_of_bounds_is_refused_though_the_rest_is_right(
    cost: object, tmp_path: Path
) -> None:
    path = tmp_path / "secrets.json"
    secrets = SiteSecrets.model_validate({"secret-key": "key"})
    path.write_bytes(seal(secrets, "words"))
    assert unseal(path, "words") == secrets
    path.write_text(json.dumps(json.loads(path.read_text()) | {"cost": cost}))
    with pytest.raises(CommandError, match="is damaged"):
        unseal(path, "words")


@pytest.mark.parametrize("name", ["manifest.json", "database.dump", "secrets.json"])
def test_links_pipes_and_folders_are_not_read(name: str, tmp_path: Path) -> None:
    put(tmp_path, json.dumps(MANIFEST).encode(), json.dumps(SEALED).encode())
    path = tmp_path / name
    path.unlink()
    for target in ("/dev/zero", "nothing", "manifest.json"):
        path.symlink_to(target)
        check_refused(tmp_path)
        path.unlink()
    os.mkfifo(path)
    check_refused(tmp_path)
    path.unlink()
    path.mkdir()
    check_refused(tmp_path)


def test_links_among_the_backups_are_left_alone(tmp_path: Path) -> None:
    """They neither count as backups nor keep later ones from being made."""
    parent, elsewhere = tmp_path / "backups", tmp_path / "elsewhere"
    parent.mkdir()
    elsewhere.mkdir()
    put(elsewhere, json.dumps(MANIFEST).encode())
    (parent / "throughline-20260101-030000").symlink_to(elsewhere)
    (parent / "throughline-20260102-030000.partial").symlink_to(elsewhere)
    (parent / "throughline-20260103-030000.partial").touch()
    assert list_names(parent) == []
    remove_partial(parent)
    assert [path.name for path in parent.iterdir()] == ["throughline-20260101-030000"]
    assert (elsewhere / "database.dump").read_bytes() == DUMP
