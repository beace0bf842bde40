"""What the document on security says of the schema."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_document_names_every_table_without_row_policies() -> None:
    schema = (ROOT / "migrations/schema.sql").read_text()
    tables = set(re.findall(r"^CREATE TABLE (\w+)", schema, re.MULTILINE))
    bound = set(re.findall(r"^ALTER TABLE (\w+) ENABLE ROW LEVEL", schema, re.MULTILINE))
    text = (ROOT / "docs/security.md").read_text()
    sentence = text[text.index("tables have no row policies") :].split(". `")[0]
    assert set(re.findall(r"`(\w+)`", sentence)) == tables - bound
