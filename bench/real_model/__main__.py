"""Runs one part, or all of them."""

from __future__ import annotations

import click

from bench.real_model import follow_ups

PARTS = {"follow_ups": follow_ups.main}


@click.command()
@click.argument("part", required=False, type=click.Choice(list(PARTS)))
def main(part: str | None) -> None:
    for name in [part] if part else PARTS:
        print(f"== {name}")
        PARTS[name]()


if __name__ == "__main__":
    main()
