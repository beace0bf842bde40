"""Python files are no longer than a reader takes in. ESLint's `max-lines` holds the scripts."""

from __future__ import annotations

from tests.unit.test_names import CODE, ROOT

MOST_LINES = 300


def test_files_are_short() -> None:
    files = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 1000
    assert [
        str(path.relative_to(ROOT))
        for path in files
        if len(path.read_text().splitlines()) > MOST_LINES
    ] == []
