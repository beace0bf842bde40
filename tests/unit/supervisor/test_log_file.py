from __future__ import annotations

from pathlib import Path

from supervisor.log_file import write_line


def test_two_files_have_the_newest_lines(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "web.log"
    for number in range(10):
        write_line(path, f"line {number}", largest_bytes=20)
    texts = [path.with_name("web.log.1").read_text(), path.read_text()]
    assert "".join(texts).splitlines() == [f"line {number}" for number in range(6, 10)]


def test_a_later_start_adds_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    write_line(path, "one")
    write_line(path, "two")
    assert path.read_text() == "one\ntwo\n"


def test_a_line_that_cannot_be_written_is_lost(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file in the way")
    write_line(tmp_path / "logs" / "web.log", "lost")
