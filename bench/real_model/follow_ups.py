"""Sixty questions that need the last round or two: `python -m bench.real_model follow_ups`.

Counts the prompts that contain what the question needs. No model is asked: without those words in
its prompt, none could answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.harness.prompts import make_prompt
from bench.harness.services import open_services
from shared.derivations.kinds import do_job
from shared.models import Outcome
from shared.services import Services
from tests.integration.conversing import Conversing, NoEncoder

DATA = Path(__file__).with_name("follow_ups.json")


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """`rounds` are (said, replied), oldest first. `needs` must be in the prompt's turns."""

    rounds: tuple[tuple[str, str], ...]
    ask: str
    needs: tuple[str, ...]


def list_follow_ups() -> list[FollowUp]:
    """Before each are rounds about something else, which the summary has covered."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    filler = [(message, reply) for message, reply in data["filler"]]
    return [
        FollowUp(
            rounds=(*filler, *zip(case["before"][::2], case["before"][1::2], strict=True)),
            ask=case["ask"],
            needs=tuple(case["needs"]),
        )
        for case in data["cases"]
    ]


def find_missing(services: Services, case: FollowUp) -> list[str]:
    """The needed texts that the prompt's turns lack. Jobs are done before the next round."""
    conversing = Conversing(services)
    for message, reply in case.rounds:
        outcome = Outcome(status="complete", content=reply)
        for due in conversing.close(conversing.open(message), outcome) or []:
            do_job(services, due.kind, due.job_id)
    prompt = make_prompt(services, conversing.open(case.ask), encoder=NoEncoder())
    turns = "\n".join(text for _, text in prompt.messages[1:-1])
    return [need for need in case.needs if need not in turns]


def report(services: Services) -> Iterator[str]:
    cases = list_follow_ups()
    missing = [(case, find_missing(services, case)) for case in cases]
    for case, lacks in missing:
        if lacks:
            yield f"  {case.ask}: lacks {lacks}"
    complete_count = sum(not lacks for _, lacks in missing)
    yield f"follow-ups whose prompt holds what they need: {complete_count} of {len(cases)}"


def main() -> None:
    with open_services() as services:
        for line in report(services):
            print(line)
