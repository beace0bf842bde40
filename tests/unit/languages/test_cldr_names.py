from __future__ import annotations

from shared.languages import NAMES
from tests.unit.languages.update_cldr_names import read_names


def test_the_table_holds_what_babel_has() -> None:
    assert read_names() == NAMES
