"""`throughline retention`: delete what has grown old."""

from __future__ import annotations

import click

from shared.maintenance.retention import retire
from throughline.printing import json_option, show
from throughline.site import open_services

NO_END = 1_000_000  # portions: until nothing is left


@click.command()
@json_option
def retention(*, as_json: bool) -> None:
    """Delete now what is older than the settings keep it. Beat does it in portions, every hour."""
    with open_services() as services:
        deleted = retire(services, portions=NO_END)
    lines = [f"{count} {name}" for name, count in deleted.items()] or ["Nothing was old enough."]
    show({"deleted": deleted}, lines, as_json=as_json)
