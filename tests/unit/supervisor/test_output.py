from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.output import MAX_LINE_CHARS, LineSplitter, PostgresLines, with_prefix


def test_a_line_is_held_back_until_it_ends() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"one\ntw") == ["one"]
    assert splitter.feed(b"o\r\n") == ["two"]


def test_the_last_line_needs_no_end() -> None:
    splitter = LineSplitter()
    splitter.feed(b"last words")
    assert splitter.end() == ["last words"]
    assert splitter.end() == []


def test_a_character_cut_in_two_is_put_together() -> None:
    splitter = LineSplitter()
    first, second = "ü\n".encode()[:1], "ü\n".encode()[1:]
    assert splitter.feed(first) + splitter.feed(second) == ["ü"]


def test_a_line_without_an_end_does_not_fill_memory() -> None:
    splitter = LineSplitter()
    (line,) = splitter.feed(b"x" * (MAX_LINE_CHARS + 1))
    assert len(line) == MAX_LINE_CHARS


@given(st.lists(st.binary(max_size=20)))
def test_nothing_depends_on_how_the_bytes_arrive(parts: list[bytes]) -> None:
    in_parts, at_once = LineSplitter(), LineSplitter()
    lines = [line for part in parts for line in in_parts.feed(part)] + in_parts.end()
    assert lines == at_once.feed(b"".join(parts)) + at_once.end()


def test_names_stand_in_a_column() -> None:
    assert with_prefix("web", 6, "ready", colour=None) == "web    | ready"


def test_a_terminal_gets_colours_that_end_before_the_line() -> None:
    assert with_prefix("web", 3, "ready", colour=0) == "\x1b[36mweb | \x1b[0mready"


def test_the_statement_of_a_panic_is_left_out_however_many_lines_it_has() -> None:
    lines = PostgresLines()
    secret = "INSERT 'one\n\ttwo " + "x" * 3 * MAX_LINE_CHARS + " three'"
    output = lines.feed(f"PANIC:  no room\nSTATEMENT:  {secret}\nLOG:  it ends\n\tsoon\n".encode())
    assert output == ["PANIC:  no room", "LOG:  it ends", "\tsoon"]
