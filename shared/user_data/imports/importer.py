"""Imports a file, section by section: what others refer to comes first.

Nothing is imported of a file that is broken anywhere.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

from shared.access.audit import record
from shared.db import enter_memory
from shared.errors import BrokenImportError, ThroughlineError, UnknownFormError
from shared.models import Thing, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.services import Services
from shared.store import imports, users
from shared.store.facts.restored import cap_turns
from shared.store.imports import Import, ImportStatus, Tally
from shared.user_data.imports.archive import OpenFiles, open_upload
from shared.user_data.imports.conversations import import_conversations
from shared.user_data.imports.export_files import (
    import_file_of_export,
    most_json_bytes,
    note_missing,
)
from shared.user_data.imports.facts import import_facts, import_forgotten
from shared.user_data.imports.json_stream import Readable
from shared.user_data.imports.library import import_personas, import_prompts
from shared.user_data.imports.outline import SECTIONS, Section
from shared.user_data.imports.projects import import_projects
from shared.user_data.imports.sections import Limits
from shared.user_data.imports.target import Target
from shared.user_data.imports.upload import Upload

logger = logging.getLogger(__name__)

OWN_SECTIONS = {
    "personas": import_personas, "prompts": import_prompts, "projects": import_projects,
    "facts": import_facts, "forgotten_facts": import_forgotten,
    "attachments": import_file_of_export,
}  # fmt: skip


def import_file(
    services: Services, user_id: UserId, source: Readable, *, with_branches: bool = False
) -> Import:
    """Import `source`, which arrives as a whole before anything of it is imported.

    Conversations that were imported before are skipped. `with_branches`: what other programs no
    longer show of a conversation comes, too.

    If the file cannot be read, the import has `failed`. Other errors (of the connection, of the
    database) are noted in the import, and raised. What came before them is kept.
    """
    with services.database.transaction(user=user_id) as connection:
        users.ensure_user(connection, user_id)
        import_id = imports.start_import(connection, user_id)
        target = Target(user_id=user_id, import_id=import_id, with_branches=with_branches)
        record(connection, "memory.import", user_id, Thing("import", target.import_id))
    try:
        broken = _import_all(services, target, source)
    except BaseException as exc:
        with suppress(ThroughlineError):
            error = exc.message if isinstance(exc, ThroughlineError) else "The import was cut off."
            _finish(services, target, "failed", error)
        raise
    _finish(services, target, "failed" if broken else "done", broken)
    with services.database.transaction(user=user_id) as connection:
        return imports.get_import(connection, user_id, target.import_id)


def _import_all(services: Services, target: Target, source: Readable) -> str | None:
    """Returns what is wrong with the file. None: nothing."""
    tally, broken = None, None  # of a broken file, what came before has been counted
    try:
        with open_upload(source, services.settings.import_max_bytes) as files:
            tally = note_missing(target, _import_sections(services, target, files))
        broken = UnknownFormError().message if _is_unknown(tally) else None
    except (BrokenImportError, UnknownFormError) as exc:
        broken = exc.message
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        enter_memory(connection, ALL_MEMORIES)
        cap_turns(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        if tally is not None:
            imports.save_tally(connection, target.import_id, tally)
    return broken


def _import_sections(services: Services, target: Target, files: OpenFiles) -> Tally:
    limits = Limits(file=most_json_bytes(services.settings.attachment_max_bytes))
    upload = Upload(files, limits)
    target = replace(target, is_own=upload.is_own)
    tally = Tally()
    for section in SECTIONS:
        tally = import_section(services, target, tally, upload, section)
    return tally


def import_section(
    services: Services, target: Target, tally: Tally, upload: Upload, section: Section
) -> Tally:
    """Raises `BrokenImportError`, and `ConflictError` when the user has deleted everything."""
    if section == "conversations" or section == "branches":
        return import_conversations(services, target, tally, upload, section)
    for item in upload.read(section):
        tally = OWN_SECTIONS[section](services, target, tally, item.value)
    return tally


def _is_unknown(tally: Tally) -> bool:
    """Whether conversations were counted, and none was in a form that is known."""
    if tally.failed == 0 or tally.imported or tally.skipped:
        return False
    return all(note["code"] == UnknownFormError.code for note in tally.notes)


def _finish(services: Services, target: Target, status: ImportStatus, error: str | None) -> None:
    logger.info("import.finished", extra={"import_id": target.import_id, "status": status})
    with services.database.transaction(user=target.user_id) as connection:
        imports.finish_import(connection, target.import_id, status, error)
