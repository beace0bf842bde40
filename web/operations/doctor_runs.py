"""The checks of `throughline doctor` in a web process: one run at a time, and each has an end."""

from __future__ import annotations

import threading
import time

from shared.embeddings import QueryEncoder
from shared.errors import BusyError
from shared.maintenance.doctor import Report, Site, fill_up, run_checks
from shared.services import Services
from shared.settings.setting_sources import Variables

#: Three models that do not answer are waited for, 20 s each.
LONGEST_S = 75.0
BUSY = "The checks are being run already. Please try again when they have ended."


class DoctorRuns:
    """A run has a thread of its own, so that a check that hangs holds neither a request nor a turn.

    The next run begins when that check has ended: nobody can pile them up.
    """

    def __init__(
        self, services: Services, encoder: QueryEncoder, longest_s: float = LONGEST_S
    ) -> None:
        self._services = services
        self._encoder = encoder
        self._longest_s = longest_s
        self._is_free = threading.Semaphore()

    def run(self, variables: Variables) -> list[Report]:
        """Raises `BusyError` while another run is under way in this process."""
        site = Site(
            settings=self._services.settings,
            services=self._services,
            variables=variables,
            encoder=self._encoder,
            ends_at=time.monotonic() + self._longest_s,
        )
        if not self._is_free.acquire(blocking=False):
            raise BusyError(BUSY)
        reports: list[Report] = []
        thread = threading.Thread(
            target=self._check, args=(site, reports), name="doctor", daemon=True
        )
        try:
            thread.start()
        except RuntimeError as exc:  # the system gives no more threads
            self._is_free.release()
            raise BusyError from exc
        thread.join(self._longest_s)
        return fill_up(tuple(reports))

    def _check(self, site: Site, reports: list[Report]) -> None:
        """Add each report as soon as it is there."""
        try:
            for report in run_checks(site):
                reports.append(report)
        finally:
            self._is_free.release()
