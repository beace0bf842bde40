"""When Python looks for cycles of objects that nobody needs: not while modules are loaded.

A process creates some hundred thousand objects at its start, nearly all of which stay. To look at
them again and again takes an eighth of the start.
"""

from __future__ import annotations

import gc


def pause_collection() -> None:
    """Call it before modules are loaded, and `keep_loaded_objects` once they are."""
    gc.disable()


def keep_loaded_objects() -> None:
    """Exempt everything that is loaded by now from garbage collection, and go on with it.

    What of it is garbage, some thousand objects, stays: to find it takes a tenth of a second.
    """
    gc.freeze()
    gc.enable()
