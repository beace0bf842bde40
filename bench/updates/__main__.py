"""Changes over time: `python -m bench.updates`. Does a prompt have the current value?

100 cases written for this in long chats (`data.py`). The product imports them and does all
jobs with the stand-in as memory model, on real Postgres with the real embedding model. Each
question opens a round, and the prompt that recall makes for it is scored.
"""

from __future__ import annotations

import logging

import click

from bench.harness.prompts import make_prompt, memory_of, open_question, remember
from bench.harness.services import open_services
from bench.updates.data import Case, read_people
from bench.updates.scores import Judged, judge, print_table, read_lines
from shared.services import Services
from tests.embedding import embed_pending


@click.command()
@click.option("--show", is_flag=True, help="What the prompts of missed cases held.")
def main(*, show: bool) -> None:
    logging.disable(logging.WARNING)
    people = read_people()
    with open_services() as services:
        for person in people:
            remember(services, person.name, person.conversations)
        count = embed_pending(services)
        print(f"updates: {len(people)} people, {count} messages and episodes embedded")
        judged = [
            ask(services, person.name, case, show) for person in people for case in person.cases
        ]
    print_table(judged)


def ask(services: Services, user: str, case: Case, show: bool) -> Judged:
    with open_question(services, user, case.ask) as chat_round:
        prompt = make_prompt(services, chat_round)
    system = memory_of(prompt)
    judged = judge(case, system, prompt.trace["tokens"]["given"])  # type: ignore[index]
    if show and not (judged.has_current and judged.has_no_stale_fact):
        print_missed(judged, system)
    return judged


def print_missed(judged: Judged, system: str) -> None:
    case = judged.case
    wrong = case.before or case.never or ""
    print(f"{case.category}: {case.ask} now {case.now!r}, not {wrong!r}; {judged.has_current=}")
    for line in read_lines(system):
        if line.contains(case.now) or line.contains(wrong):
            print(f"    {line.day} {line.section}: {line.text[:120]}")


if __name__ == "__main__":
    main()
