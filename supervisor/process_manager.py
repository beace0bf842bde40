"""Start all children in order, restart those that die, and stop all in order."""

from __future__ import annotations

import math
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from supervisor.child import Child
from supervisor.embedded.child_process import spawn
from supervisor.embedded.runnable import Runnable
from supervisor.errors import StartError
from supervisor.output import Output
from supervisor.stop_order import hurried_limit_s, stop_limit_s, stop_stages
from supervisor.stop_requests import StopRequests

# All but two processes start when the page is warm, or after this time.
WARM_UP_S = 20.0
# They start one after the other, so that the first ones can work before the last ones have loaded.
START_GAP_S = 1.0
STEP_EVERY_S = 0.2
START_STEP_S = 0.02  # while something is waited for


@dataclass(kw_only=True)
class ProcessManager:
    """Every method raises StopRequested after a request to stop."""

    services: Sequence[Child]
    #: Waited for at the start, as services are; later the processes go on without them.
    models: Sequence[Child]
    processes: Sequence[Child]
    output: Output
    requests: StopRequests
    _started: list[Child] = field(default_factory=list)

    @property
    def children(self) -> list[Child]:
        return [*self.services, *self.models, *self.processes]

    def start_services(self) -> None:
        self._advance()

    def wait_for_services(self) -> None:
        self._watch_until(self._services_are_ready)

    def migrate(self, program: Runnable) -> None:
        status = run_once(program, self.output, is_cancelled=lambda: self.requests.count > 0)
        self.requests.check()
        if status != 0:
            self.output.say_last_lines(program.name)
            raise StartError(f"{program.name} stopped the start: its lines say why.")

    def start_page(self) -> None:
        """Start the first process, which serves the page. It does not wait for the services."""
        self._started[:] = self.processes[:1]
        for page in self._started:
            page.advance(may_start=True)

    def wait_for_page(self, page_answers: Callable[[], bool]) -> None:
        self._watch_until(page_answers)

    def start_others(self, page_is_warm: Callable[[], bool]) -> None:
        """Start the first of the other processes at once.

        The others follow in turn, once the page is warm or after `WARM_UP_S`.
        """
        others = self.processes[len(self._started) :]
        self._started += others[:1]
        self._watch_until(page_is_warm, limit_s=WARM_UP_S)
        for process in others[1:]:
            self._started.append(process)
            self._watch_until(lambda: False, limit_s=START_GAP_S)

    def watch(self) -> None:
        """Keep all children running until a request to stop."""
        while True:
            self._step(STEP_EVERY_S)

    def _watch_until(self, is_reached: Callable[[], bool], *, limit_s: float = math.inf) -> None:
        deadline = time.monotonic() + limit_s
        self.requests.check()
        while not is_reached() and time.monotonic() < deadline:
            self._step(START_STEP_S)

    def _step(self, limit_s: float) -> None:
        self._advance()
        self.output.forward(limit_s)
        self.requests.check()

    def _advance(self) -> None:
        """No process is started again while a service is not ready."""
        for child in (*self.services, *self.models):
            child.advance(may_start=True)
        all_ready = all(service.is_ready for service in self.services)
        for process in self._started:
            process.advance(may_start=all_ready)

    def _services_are_ready(self) -> bool:
        first = (*self.services, *self.models)
        for child in first:
            if child.failure_count:
                raise StartError(f"{child.name} could not be started: see its lines above.")
        return all(child.is_ready for child in first)


def stop_all(children: Sequence[Child], output: Output, requests: StopRequests) -> None:
    """Stop stage by stage. A second request shortens the limits."""
    by_name = {child.name: child for child in children if child.is_running}
    if by_name:
        output.say("Stopping in order; Ctrl-C again hurries.")
    for stage in stop_stages(by_name):
        output.note(f"stopping {', '.join(stage)}")
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


def run_once(program: Runnable, output: Output, *, is_cancelled: Callable[[], bool]) -> int:
    """Run a program that ends by itself, such as the migrations. Returns the exit status.

    The process is killed when `is_cancelled` returns true.
    """
    process = spawn(program, subprocess.PIPE)
    output.follow(program.name, process)
    while process.poll() is None:
        output.forward(0.02)
        if is_cancelled():
            process.kill()
    output.forward(0.0)
    return process.returncode
