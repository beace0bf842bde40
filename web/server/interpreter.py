"""Settings of the Python interpreter that keep the event loop of a web process responsive.

`python -m bench.load.followers` shows what these settings do.
"""

from __future__ import annotations

import gc
import sys

from shared.garbage import pause_collection

# The loop releases the interpreter's lock with each write to a socket. A thread that computes keeps
# the lock for this long. Python's default is 5 ms, which adds up over many followers.
SWITCH_S = 0.0005
# A full garbage collection stops every thread. With Python's default thresholds there was one every
# three seconds with 1,000 followers. Most objects are freed without it, by their reference counts.
YOUNG_OBJECTS = 10_000
YOUNG_COLLECTIONS = 10
MIDDLE_COLLECTIONS = 50


def favour_event_loop() -> None:
    """Call it before modules are loaded, and `keep_loaded_objects` once they are.

    Processes that are forked later have these settings, too.
    """
    pause_collection()
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_COLLECTIONS, MIDDLE_COLLECTIONS)
