from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from supervisor.local_model.gguf import NoGgufError, read_header
from tests.fakes.gguf import SMALL_MODEL, write_gguf


def test_numbers_and_short_texts_are_read(tmp_path: Path) -> None:
    header = read_header(write_gguf(tmp_path / "model.gguf"))
    assert header["general.architecture"] == "qwen2"
    assert header["qwen2.context_length"] == 32_768


def test_what_is_long_is_passed_over(tmp_path: Path) -> None:
    header = read_header(write_gguf(tmp_path / "model.gguf"))
    assert SMALL_MODEL.keys() - header.keys() == {
        "tokenizer.ggml.tokens",
        "tokenizer.chat_template",
    }


def test_a_list_of_numbers_is_read_and_a_long_one_passed_over(tmp_path: Path) -> None:
    values = {"few": [2, 4], "many": [1] * 1001, "last": True}
    header = read_header(write_gguf(tmp_path / "model.gguf", values))
    assert header == {"few": (2, 4), "last": True}


COUNTS = struct.pack("<IQQ", 3, 0, 1)
NO_HEADS = {
    "nothing": b"",
    "another format": b"PK\x03\x04" + bytes(100),
    "the first version, which nobody writes": b"GGUF" + struct.pack("<IQQ", 1, 0, 0),
    "cut off": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 20) + b"general",
    "a number of pairs beyond all models": b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60),
    "a text beyond all memory": b"GGUF" + COUNTS + struct.pack("<Q", 2**60),
    "a type that there is not": b"GGUF" + COUNTS + struct.pack("<Q1sI", 1, b"k", 99),
    "a list of lists": b"GGUF" + COUNTS + struct.pack("<Q1sIIQ", 1, b"k", 9, 9, 1),
    "a list beyond all memory": b"GGUF" + COUNTS + struct.pack("<Q1sIIQ", 1, b"k", 9, 4, 2**60),
    "a name that is no text": b"GGUF" + COUNTS + struct.pack("<Q1sII", 1, b"\xff", 4, 1),
}


@pytest.mark.parametrize("content", NO_HEADS.values(), ids=NO_HEADS)
def test_a_file_of_another_form_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(NoGgufError):
        read_header(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.integers(0, 400))
def test_no_damage_to_a_file_is_another_error(tmp_path: Path, noise: bytes, place: int) -> None:
    path = write_gguf(tmp_path / "model.gguf")
    content = path.read_bytes()
    path.write_bytes(content[:place] + noise)
    with suppress(NoGgufError):
        read_header(path)
