"""`throughline verify`: check the invariants of a live database."""

from __future__ import annotations

import sys

import click

from shared.maintenance.verify import NOT_BOUND, count_invariants, find_breaches, is_bound_to_users
from throughline.printing import json_option, show
from throughline.site import open_services


@click.command()
@click.option("--quiet", is_flag=True, help="Nobody is talking: jobs must have caught up, too.")
@json_option
def verify(*, quiet: bool, as_json: bool) -> None:
    """Check the invariants of the database, which may be in use.

    It only reads, in one snapshot. Exit code 1: an invariant is broken; 2: the check failed.
    """
    with open_services() as services:
        breaches = find_breaches(services.database, services.settings, quiet=quiet)
        is_bound = is_bound_to_users(services.database)
    checked = count_invariants(quiet=quiet)
    result = {
        "checked": checked,
        "breaches": [{"invariant": breach.invariant, "where": breach.where} for breach in breaches],
        "row_security": is_bound,
    }
    lines = [f"broken: {breach.invariant}: {breach.where}" for breach in breaches]
    lines += [] if is_bound else [NOT_BOUND]
    lines.append(f"{checked} invariants checked, {len(breaches)} breaches")
    show(result, lines, as_json=as_json)
    sys.exit(1 if breaches else 0)
