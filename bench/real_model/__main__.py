"""Run one part, or all of them."""

from __future__ import annotations

import click

from bench.real_model import (
    answers,
    contention,
    examination,
    facts,
    follow_ups,
    imports,
    learned,
    summaries,
    talk,
)

PARTS = {
    "follow_ups": follow_ups.main,
    "facts": facts.main,
    "examination": examination.main,
    "learned": learned.main,
    "answers": answers.main,
    "contention": contention.main,
    "imports": imports.main,
    "summaries": summaries.main,
    "talk": talk.main,
}


@click.command()
@click.argument("part", required=False, type=click.Choice(list(PARTS)))
def main(part: str | None) -> None:
    for name in [part] if part else PARTS:
        print(f"== {name}")
        PARTS[name]()


if __name__ == "__main__":
    main()
