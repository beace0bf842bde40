"""Files that one user has read."""

from __future__ import annotations

from shared.attachments import reader
from shared.models import UserId
from shared.models.attachments import NewFile

ADA = UserId("ada")


def read_file(name: str, content: bytes) -> NewFile:
    return reader.read_file(ADA, name, content)
