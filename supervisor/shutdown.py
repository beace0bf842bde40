"""Stop all children in order."""

from __future__ import annotations

from collections.abc import Sequence

from supervisor.child import Child
from supervisor.output import Output
from supervisor.stop_order import hurried_limit_s, stop_limit_s, stop_stages
from supervisor.stop_requests import StopRequests


def stop_all(children: Sequence[Child], output: Output, requests: StopRequests) -> None:
    """Stop stage by stage. A second request shortens the limits."""
    by_name = {child.name: child for child in children if child.is_running}
    if by_name:
        output.say("Stopping in order; Ctrl-C again hurries.")
    for stage in stop_stages(by_name):
        output.say(f"stopping {', '.join(stage)}")
        _stop_stage([by_name[name] for name in stage], output, requests)
    output.drain()


def _stop_stage(children: Sequence[Child], output: Output, requests: StopRequests) -> None:
    for child in children:
        child.ask_to_stop(limit_s=stop_limit_s(child.name))
    while any(child.is_running for child in children):
        output.forward(0.1)
        for child in children:
            if requests.count > 1:
                child.hurry(limit_s=hurried_limit_s(child.name))
            child.kill_if_late()
            child.note_end()
