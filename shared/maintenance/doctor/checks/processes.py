"""Redis, the broker, workers and beat, and the way out of webhooks."""

from __future__ import annotations

import socket

from shared.broker.queues import find_waiting
from shared.broker.tasks import QUEUES
from shared.broker.workers import find_workers
from shared.ephemeral.redis_client import find_fault
from shared.ephemeral.sweep_mark import find_age_s
from shared.maintenance.doctor.examined_site import Finding, Site, ok, problem, skipped
from shared.maintenance.site_check import has_foreign_redis

ANSWER_S = 2.0
KINDS = ("worker-llm", "worker-embed")
BACKUPS = "worker-backup"  # of sites that make backups by schedule
LONGEST_S = 60.0  # without a sweep
DOWN = "the site does not run"


def check_redis(site: Site) -> Finding:
    if site.services is None:
        return skipped(DOWN)
    fault = find_fault(site.services.redis)
    if fault == "password_refused":
        return problem("Redis refuses the password", "correct REDIS_URL")
    if fault == "not_writable":
        return problem(
            "Redis takes no writes",
            "make room in its memory and on its disk, or let REDIS_URL lead to the primary",
        )
    if fault:
        return problem(
            "Redis cannot be reached", "start it, or correct REDIS_URL; nothing is lost meanwhile"
        )
    return ok("Redis answers")


def check_site(site: Site) -> Finding:
    if site.services is None:
        return skipped(DOWN)
    if has_foreign_redis(site.services):
        return problem("Redis is another site's", "give this one a Redis of its own in REDIS_URL")
    return ok("database and Redis are of one site")


def check_broker(site: Site) -> Finding:
    if site.services is None:
        return skipped(DOWN)
    if find_waiting(site.services.broker, QUEUES) is None:
        return problem("the broker cannot be asked", "start it, or correct BROKER_URL")
    return ok("the broker answers")


def check_workers(site: Site) -> Finding:
    """Check that each needed kind of worker answers. Its name begins with the kind (Procfile)."""
    if site.services is None:
        return skipped(DOWN)
    workers = find_workers(site.services.broker, ANSWER_S) or []
    kinds = (*KINDS, *([BACKUPS] if site.settings.backup_folder else []))
    missing = [
        kind
        for kind in kinds
        if not any(worker.name.startswith(f"{kind.removeprefix('worker-')}-") for worker in workers)
    ]
    if missing:
        return problem(f"no {' and no '.join(missing)} answers", "start it; its log says why")
    return ok(f"{len(workers)} workers answer")


def check_beat(site: Site) -> Finding:
    """Check that beat asks for the sweep, and that a worker does it."""
    if site.services is None:
        return skipped(DOWN)
    age_s = find_age_s(site.services.redis)
    if age_s is None or age_s > max(LONGEST_S, 12 * site.settings.sweep_every_s):
        when = "an hour" if age_s is None else f"{age_s:.0f} s"
        return problem(f"nothing was swept for {when}", "start beat; its log says why")
    return ok(f"swept {age_s:.0f} s ago")


def check_way_out(site: Site) -> Finding:
    """Check that names of other machines can be looked up, if that is needed."""
    host = site.settings.oidc_issuer.partition("://")[2].partition("/")[0].partition(":")[0]
    if not host:
        return skipped("nothing outside is named: webhooks are their users' own")
    try:
        socket.getaddrinfo(host, 443)
    except OSError:
        return problem("the name in OIDC_ISSUER cannot be looked up", "correct it, or the resolver")
    return ok("the name in OIDC_ISSUER is known")
