"""The checks of `throughline doctor` in a web process: one run for all who ask, with an end."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict, dataclass, field

from shared.embeddings.query_encoder import QueryEncoder
from shared.ephemeral.shared_run import find_outcome, tell_outcome
from shared.errors import BusyError
from shared.maintenance.doctor import Report, Site, fill_up, run_checks
from shared.services import Services
from shared.settings.setting_sources import Variables

#: Three models that do not answer are waited for, 20 s each.
LONGEST_S = 75.0
KEPT_S = 10.0
MOST_WAITING = 16  # each holds a thread of the process
BUSY = "The checks are being run already. Please try again when they have ended."


@dataclass(kw_only=True)
class Run:
    """`reports` grows while the checks go on."""

    #: By `time.monotonic()`: when it has to be over, and until when its reports are told.
    ends_at: float
    kept_until: float
    reports: list[Report] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)


class DoctorRuns:
    """A run has a thread of its own, so that a check that hangs holds a request for a time only.

    The next run begins when that check has ended: nobody can pile them up.
    """

    def __init__(
        self, services: Services, encoder: QueryEncoder, longest_s: float = LONGEST_S
    ) -> None:
        self._services = services
        self._encoder = encoder
        self._longest_s = longest_s
        self._waiting = threading.Semaphore(MOST_WAITING)
        self._lock = threading.Lock()
        self._run: Run | None = None

    def run(self, variables: Variables) -> list[Report]:
        """The reports of the run that goes on, or ended lately, in any process; else of a new one.

        Raises `BusyError` while a check of this process hangs, or too many wait.
        """
        if not self._waiting.acquire(blocking=False):
            raise BusyError(BUSY)
        try:
            run = self._find_or_begin(variables)
            run.is_over.wait(max(0.0, run.ends_at - time.monotonic()))
            return fill_up(tuple(run.reports))
        finally:
            self._waiting.release()

    def _find_or_begin(self, variables: Variables) -> Run:
        with self._lock:
            run, now = self._run, time.monotonic()
            if run is not None and now < run.kept_until:
                return run
            if run is not None and not run.is_over.is_set():
                raise BusyError(BUSY)
            ends_at = now + self._longest_s
            run = Run(ends_at=ends_at, kept_until=ends_at + KEPT_S)
            site = Site(
                settings=self._services.settings,
                services=self._services,
                variables=variables,
                encoder=self._encoder,
                ends_at=run.ends_at,
            )
            thread = threading.Thread(
                target=self._check, args=(site, run), name="doctor", daemon=True
            )
            try:
                thread.start()
            except RuntimeError as exc:  # the system gives no more threads
                raise BusyError from exc
            self._run = run
            return run

    def _check(self, site: Site, run: Run) -> None:
        """Add each report as soon as it is there."""
        client, kept_s = self._services.redis, KEPT_S
        try:
            outcome = find_outcome(client, self._longest_s)
            if outcome is not None:
                kept_s = 0.0  # Redis knows for how long
                run.reports += [Report(**report) for report in json.loads(outcome)]
                return
            for report in run_checks(site):
                run.reports.append(report)
            tell_outcome(client, json.dumps([asdict(report) for report in run.reports]), KEPT_S)
        finally:
            run.kept_until = time.monotonic() + kept_s
            run.is_over.set()
