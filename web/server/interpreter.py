"""How Python itself is set in a web process, so that nothing keeps the event loop waiting.

`python -m bench.followers` shows what these settings do.
"""

from __future__ import annotations

import gc
import sys

# The loop gives the interpreter's lock away with each write to a socket. A thread that computes
# gives it back only after this long (Python's own 5 ms, times a write to each of many followers).
SWITCH_S = 0.0005
# A full collection stops every thread while it looks at all objects. By Python's own thresholds
# there was one every three seconds with 1,000 followers; most objects are freed without it.
YOUNG_OBJECTS = 10_000
YOUNG_COLLECTIONS = 10
MIDDLE_COLLECTIONS = 50


def favour_event_loop() -> None:
    """Before anything is loaded: loading makes many objects, and keeps them."""
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_COLLECTIONS, MIDDLE_COLLECTIONS)


def keep_loaded_objects() -> None:
    """What is loaded by now stays: collections do not look at it any more."""
    gc.collect()
    gc.freeze()
