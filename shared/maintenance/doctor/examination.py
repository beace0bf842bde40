"""The list of checks, and how they are run: one after the other, what depends on a problem not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shared.maintenance.doctor.checks import configuration, database, machine, models, processes
from shared.maintenance.doctor.site import Finding, Site, Status, problem, skipped
from shared.services import Services
from shared.settings import Settings


@dataclass(frozen=True)
class Check:
    name: str
    find: Callable[[Site], Finding]
    #: Checks that must be in order for this one to say something.
    needs: tuple[str, ...] = ()


CHECKS = (
    Check("settings", configuration.check_names),
    Check("zone", machine.check_zone),
    Check("disk", machine.check_disk),
    Check("files", machine.check_files),
    Check("port", machine.check_port),
    Check("database", database.check_reach),
    Check("versions", database.check_versions, ("database",)),
    Check("clock", database.check_clock, ("database",)),
    Check("schema", database.check_schema, ("database",)),
    Check("extension", database.check_extension, ("database", "schema")),
    Check("roles", database.check_roles, ("database", "schema")),
    Check("redis", processes.check_redis),
    Check("broker", processes.check_broker, ("redis",)),
    Check("workers", processes.check_workers, ("broker",)),
    Check("beat", processes.check_beat, ("redis", "workers")),
    Check("embedder", models.check_embedder, ("disk",)),
    Check("models", models.check_models),
    Check("webhooks", processes.check_way_out),
)


@dataclass(frozen=True)
class Report:
    check: str
    status: Status
    says: str
    advice: str


def examine(settings: Settings, *, variables: tuple[str, ...] = (), zone: str = "") -> list[Report]:
    """Run all checks. `variables`: the names that stand in `.env`. `zone`: TZ."""
    has_services = bool(settings.database_url and settings.redis_url)
    services = Services(settings) if has_services else None
    site = Site(settings=settings, services=services, variables=variables, zone=zone)
    reports: list[Report] = []
    try:
        for check in CHECKS:
            finding = _find(check, site, reports)
            reports.append(Report(check.name, finding.status, finding.says, finding.advice))
    finally:
        if services:
            services.close()
    return reports


def _find(check: Check, site: Site, reports: list[Report]) -> Finding:
    blocking = [
        report for report in reports if report.check in check.needs and report.status != "ok"
    ]
    if blocking:
        return skipped(f"not checked, since {blocking[0].check} comes first")
    try:
        return check.find(site)
    except Exception as exc:  # such as a statement that a role may not send
        return problem(f"could not be checked: {type(exc).__name__}", "see the log of web")
