"""Checks a file and reads what is in it, without trusting it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from shared.attachments.parsing import cut_text
from shared.attachments.reader_queue import ReaderQueue
from shared.errors import FileTypeError, UnreadableFileError
from shared.models import UserId
from shared.models.attachments import NewFile
from shared.policy.attachments.legibility import is_garbled
from shared.policy.attachments.places import without_headings
from shared.policy.attachments.sniffing import Form, clean_name, sniff
from shared.policy.text import storable

TIMEOUT_S = 30.0
ROOT = Path(__file__).parents[2]
_queue = ReaderQueue()
#: Sentences for the codes of `parsing.py`.
FAULTS = {
    "broken": "This file cannot be read: it is broken, or asks for too much.",
    "encrypted": "This PDF is locked with a password.",
    "garbled": "The text of this PDF cannot be read: its fonts do not say what they show.",
    "no_text": "There is no text in this PDF. Perhaps its pages are pictures.",
    "pixels": "This image has too many pixels.",
}


def read_file(user_id: UserId, name: str, content: bytes) -> NewFile:
    """The file as it is stored. Raises `FileTypeError` and `UnreadableFileError`.

    UTF-8 is read here. All else is read in a process of its own, which has limits of time and
    memory, no settings and no secrets: what reads PDFs and images has had holes before.
    """
    if not content:
        raise UnreadableFileError("This file is empty.")
    sniffed = sniff(content)
    if sniffed is None:
        raise FileTypeError
    cleaned = clean_name(name)
    if sniffed.form == "image":
        head, image = _read_apart(user_id, "image", content)
        return NewFile(name=cleaned, kind="image", content=image, **head)
    text = _read_utf8(content) if sniffed.form == "text" else None
    if text is None:
        text = _read_apart(user_id, sniffed.form, content)[1].decode()
    if not text.strip():
        raise UnreadableFileError("There is no text in this file.")
    if sniffed.form == "pdf" and is_garbled(without_headings(text)):
        raise UnreadableFileError(FAULTS["garbled"])
    return NewFile(
        name=cleaned,
        kind=sniffed.kind,
        media_type=sniffed.media_type,
        content=content,
        text=cut_text(text),
    )


def _read_utf8(content: bytes) -> str | None:
    """The text. None: it is in another encoding."""
    try:
        return storable(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return None


def _read_apart(user_id: UserId, form: Form, content: bytes) -> tuple[dict[str, Any], bytes]:
    command = [sys.executable, "-m", "shared.attachments.parsing", form]
    try:
        with _queue.turn(user_id):
            done = subprocess.run(  # noqa: S603 - fixed words
                command,
                input=content,
                capture_output=True,
                cwd=ROOT,
                env={"PYTHONIOENCODING": "utf-8"},
                timeout=TIMEOUT_S,
                check=True,
            )
    except subprocess.SubprocessError as exc:
        raise UnreadableFileError(FAULTS["broken"]) from exc
    line, _, body = done.stdout.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    error = head.pop("error", None)
    if error == "type":
        raise FileTypeError
    if error:
        raise UnreadableFileError(FAULTS[error])
    return head, body
