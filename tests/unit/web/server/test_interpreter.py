"""How Python is set for an event loop, each in an interpreter of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

COUNT = """
import gc, json, sys
from shared.garbage import keep_loaded_objects
from web.server.interpreter import favour_event_loop

{prepare}
passes = []
gc.callbacks.append(lambda phase, info: passes.append(info["generation"]))
kept = [[number] for number in range(400_000)]
print(json.dumps(
    {{"full": passes.count(2), "young": passes.count(0), "switch_s": sys.getswitchinterval()}}
))
"""
LOOKED_AT = """
import gc
from shared.garbage import keep_loaded_objects

loaded = [[number] for number in range(100)]
{prepare}
made_later = [[number] for number in range(100)]
seen = set(map(id, gc.get_objects()))
print([sum(id(each) in seen for each in some) for some in (loaded, made_later)])
"""
IN_GUNICORN = """
import gc, json
from web import gunicorn_conf

collects = [gc.isenabled()]
gunicorn_conf.when_ready(None)
collects.append(gc.isenabled())
gunicorn_conf.post_fork(None, None)
collects.append(gc.isenabled())
print(json.dumps(collects))
"""


def test_many_objects_that_stay_cause_no_full_collection() -> None:
    before, after = run(COUNT, "pass"), run(COUNT, "favour_event_loop(); keep_loaded_objects()")
    assert before["full"] > 0
    assert after["full"] == 0
    assert 0 < after["young"] < before["young"] / 5  # cycles are still found


def test_a_thread_gives_way_to_the_loop_soon() -> None:
    before, after = run(COUNT, "pass"), run(COUNT, "favour_event_loop()")
    assert after["switch_s"] < before["switch_s"]


def test_what_is_loaded_is_not_looked_at_again() -> None:
    assert run(LOOKED_AT, "pass") == [100, 100]
    assert run(LOOKED_AT, "keep_loaded_objects()") == [0, 100]


def test_nothing_is_looked_at_while_modules_are_loaded() -> None:
    loaded = run(COUNT, "favour_event_loop()")
    assert (loaded["full"], loaded["young"]) == (0, 0)


def test_the_first_process_collects_and_those_that_it_forks_load_first() -> None:
    assert run(IN_GUNICORN, "") == [False, True, False]


def run(program: str, prepare: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program.format(prepare=prepare)],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)
