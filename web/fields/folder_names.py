"""Names of folders in requests."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from shared.policy.folders import MAX_CHARS, PATTERN, find_name


def _read_name(text: str) -> str:
    name = find_name(text)
    if name is None:
        raise ValueError(f"not a name: 1 to {MAX_CHARS} characters of one line, without a slash.")
    return name


FolderName = Annotated[
    str,
    Field(json_schema_extra={"pattern": PATTERN, "maxLength": MAX_CHARS}, examples=["Work"]),
    AfterValidator(_read_name),
]
#: Empty: none.
FolderFilter = Annotated[
    str,
    Field(json_schema_extra={"pattern": rf"^$|{PATTERN}", "maxLength": MAX_CHARS}),
    AfterValidator(lambda text: text and _read_name(text)),
]
