"""Files of an export: checked as uploads are, and given to the messages that had them."""

from __future__ import annotations

import base64
import binascii

from shared.access.quotas import check_storage
from shared.attachments.reader import read_file
from shared.errors import FileTypeError, NotFoundError, UnreadableFileError
from shared.services import Services
from shared.store import attachments, conversations, imports, users
from shared.store.imports import Tally
from shared.store.upkeep import imported_files
from shared.user_data.imports.fields import read_id
from shared.user_data.imports.json_stream import TooLarge
from shared.user_data.imports.target import FilePlace, Placed, Target, add_note, leave_out

MAX_FILES = 50_000  # of one import
MAX_MESSAGE_FILES = 100
BASE64_RATIO = 1.34
PIECES_BYTES = 1024 * 1024  # what the parser counts beside the text itself
CODE = "file"
TOO_MANY = "It has more files than one import may bring. The rest were left out."
MANY_IN_MESSAGE = "A message has {more} files more than {most}. They were left out."
MISSING = "Its file “{name}” is not in the export."
TOO_LARGE = "Its file “{name}” is too large: at most {most:,} bytes."
REFUSED = "Its file “{name}” was left out. {reason}"


def most_json_bytes(attachment_max_bytes: int) -> int:
    """The most bytes that a file may take in JSON."""
    return int(attachment_max_bytes * BASE64_RATIO) + PIECES_BYTES


def place_files(
    target: Target, tally: Tally, placed: Placed
) -> tuple[Tally, list[tuple[FilePlace, str]]]:
    """Note which messages wait for files of the export. Returns files whose text is here."""
    texts = []
    for sequence, utterance in enumerate(placed.messages):
        more = len(utterance.files) - MAX_MESSAGE_FILES
        if more > 0:
            note = MANY_IN_MESSAGE.format(more=more, most=MAX_MESSAGE_FILES)
            tally = add_note(leave_out(tally, "attachment", more), placed.index, CODE, note)
        for position, file in enumerate(utterance.files[:MAX_MESSAGE_FILES], start=1):
            if (sequence, position) in placed.files:
                continue
            place = FilePlace(
                conversation_id=placed.conversation_id,
                sequence=sequence,
                position=position,
                name=file.name,
                index=placed.index,
            )
            if file.text is not None:
                texts.append((place, file.text))
            elif file.file_id is None or len(target.places.files) >= MAX_FILES:
                tally = add_note(leave_out(tally, "attachment"), placed.index, CODE, TOO_MANY)
            else:
                target.places.files[file.file_id] = place
    return tally, texts


def import_file_of_export(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Import a file for the message that waits for it.

    A file for which no message of this import waits is here already, and passed over.
    """
    item = value if isinstance(value, dict) else {}
    place = target.places.files.pop(read_id(item.get("attachment_id")), None)
    if place is None:
        return tally
    content = _decode(item.get("content"))
    return add_file(services, target, tally, place, content)


def add_file(
    services: Services, target: Target, tally: Tally, place: FilePlace, content: bytes | None
) -> Tally:
    """Give the file to its message. `content` is None for one that is too large.

    Raises `QuotaUsedUpError`, and `ConflictError` when the user has deleted everything.
    """
    most = services.settings.attachment_max_bytes
    if content is None or len(content) > most:
        return _left_out(tally, place, TOO_LARGE.format(name=place.name, most=most))
    try:
        new = read_file(target.user_id, place.name, content)
    except (FileTypeError, UnreadableFileError) as exc:
        return _left_out(tally, place, REFUSED.format(name=place.name, reason=exc.message))
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        try:
            conversations.lock_conversation(connection, target.user_id, place.conversation_id)
        except NotFoundError:  # it was deleted meanwhile
            return tally
        where = (place.conversation_id, place.sequence, place.position)
        if imported_files.lacks_file(connection, *where):
            added = attachments.add_attachment(connection, target.user_id, new)
            imported_files.give_to_message(connection, added.attachment_id, *where)
            check_storage(connection, target.user_id, services.settings)
        imports.save_tally(connection, target.import_id, tally)
    return tally


def note_missing(target: Target, tally: Tally) -> Tally:
    """Note the messages whose files never came."""
    for place in target.places.files.values():
        tally = _left_out(tally, place, MISSING.format(name=place.name))
    return tally


def _left_out(tally: Tally, place: FilePlace, message: str) -> Tally:
    return add_note(leave_out(tally, "attachment"), place.index, CODE, message)


def _decode(content: object) -> bytes | None:
    """The bytes, from pieces of Base64. Empty if it is none. None: it is too large."""
    if isinstance(content, TooLarge):
        return None
    pieces = content if isinstance(content, list) else [content]
    try:
        return b"".join(base64.b64decode(read_id(piece), validate=True) for piece in pieces)
    except (binascii.Error, ValueError):
        return b""
