"""The list of checks, and how they are run: one after the other, what depends on a problem not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass

from shared.maintenance.doctor.checks import configuration, database, machine, models, processes
from shared.maintenance.doctor.examined_site import Finding, Site, Status, problem, skipped
from shared.services import Services
from shared.settings import Settings, SettingsError
from shared.settings.setting_sources import Variables

COMMAND_ONLY = "only the command can check it, from outside: bin/throughline doctor"
NO_TIME = "not checked, since the time was up"


@dataclass(frozen=True)
class Check:
    name: str
    find: Callable[[Site], Finding]
    #: Checks that must be in order for this one to say something.
    needs: tuple[str, ...] = ()
    #: The page cannot tell: it would not be there.
    is_commands: bool = False


CHECKS = (
    Check("settings", configuration.check_names),
    Check("zone", machine.check_zone),
    Check("disk", machine.check_disk),
    Check("files", machine.check_files),
    Check("port", machine.check_port, is_commands=True),
    Check("database", database.check_reach),
    Check("writing", database.check_writing, ("database",)),
    Check("versions", database.check_versions, ("database",)),
    Check("clock", database.check_clock, ("database",)),
    Check("schema", database.check_schema, ("database",)),
    Check("extension", database.check_extension, ("database", "schema")),
    Check("roles", database.check_roles, ("database", "schema")),
    Check("redis", processes.check_redis),
    Check("site", processes.check_site, ("extension", "roles", "redis")),
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


def examine(settings: Settings, variables: Variables) -> list[Report]:
    """Run all checks from outside, with connections of its own."""
    has_services = bool(settings.database_url and settings.redis_url)
    services = Services(settings) if has_services else None
    with closing(services) if services else nullcontext():
        site = Site(settings=settings, services=services, variables=variables)
        return list(run_checks(site))


def run_checks(site: Site) -> Iterator[Report]:
    """Run the checks in their order, and none after the site's time is up."""
    reports: list[Report] = []
    for check in CHECKS:
        finding = _find(check, site, reports)
        reports.append(Report(check.name, finding.status, finding.says, finding.advice))
        yield reports[-1]


def fill_up(reports: Iterable[Report]) -> list[Report]:
    """Complete the reports of a run that took too long: the check that hangs, and those left."""
    by_check = {report.check: report for report in reports}
    missing = [check.name for check in CHECKS if check.name not in by_check]
    for name in missing[:1]:
        by_check[name] = Report(name, "problem", "did not end in time", "see the log of web")
    for name in missing[1:]:
        by_check[name] = Report(name, "skipped", NO_TIME, "")
    return list(by_check.values())


def _find(check: Check, site: Site, reports: list[Report]) -> Finding:
    if check.is_commands and site.encoder is not None:
        return skipped(COMMAND_ONLY)
    blocking = [
        report for report in reports if report.check in check.needs and report.status != "ok"
    ]
    if blocking:
        return skipped(f"not checked, since {blocking[0].check} comes first")
    if not site.has_time():
        return skipped(NO_TIME)
    try:
        return check.find(site)
    except (Exception, SettingsError) as exc:  # such as a statement that a role may not send
        return problem(f"could not be checked: {type(exc).__name__}", "see the log of web")
