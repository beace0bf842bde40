"""Which of a user's memories a transaction sees: the shared one, or that of one project.

The row policies of facts and suggestions, and the searches for messages, episodes and passages,
read it from the transaction's setting `throughline.memory`.
"""

from __future__ import annotations

from typing import NewType

#: As the setting has it.
MemoryScope = NewType("MemoryScope", str)

#: What is known everywhere but in projects with a memory of their own.
SHARED_MEMORY = MemoryScope("")
#: All of them, for what the user does with all that is known: export, a fact by its id. What is
#: learned in such a transaction is shared.
ALL_MEMORIES = MemoryScope("all")


def memory_of(project: str | None) -> MemoryScope:
    """The scope of a project that has a memory of its own. None: the shared memory."""
    return SHARED_MEMORY if project is None else MemoryScope(f"in:{project}")
