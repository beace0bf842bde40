"""Score prompts: whether they tell current values from former ones."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.updates.data import Case

FACTS = "User Profile"
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the memory block. `day` is in ISO form."""

    section: str
    day: str
    text: str

    def contains(self, words: str) -> bool:
        return words.casefold() in self.text.casefold()


@dataclass(frozen=True, kw_only=True)
class Judged:
    case: Case
    #: The prompt has the current value.
    has_current: bool
    #: The former value is absent, or has an earlier date.
    is_former_older: bool
    #: The former value is not among the facts, whatever its date.
    has_no_stale_fact: bool
    #: Of memory in the prompt.
    tokens: int


def read_lines(system: str) -> list[Line]:
    """The lines of the `<memory>` block. The day of a quote is on a line above it."""
    lines: list[Line] = []
    section = day = ""
    for text in html.unescape(system.partition("<memory>")[2]).splitlines():
        if text.startswith("## "):
            section = text.removeprefix("## ")
            continue
        if match := DAY.search(text):
            day = match[0]
        if text.startswith("- "):
            lines.append(Line(section=section, day=day, text=text))
    return lines


def judge(case: Case, system: str, tokens: int) -> Judged:
    lines = read_lines(system)
    return Judged(
        case=case,
        has_current=any(line.contains(case.now) for line in lines),
        is_former_older=is_former_older(case, lines),
        has_no_stale_fact=not any(line.section == FACTS for line in _stale(case, lines)),
        tokens=tokens,
    )


def is_former_older(case: Case, lines: Sequence[Line]) -> bool:
    newest = max((line.day for line in lines if line.contains(case.now)), default="")
    return case.before is None or all(line.day < newest for line in _stale(case, lines))


def _stale(case: Case, lines: Sequence[Line]) -> list[Line]:
    """Lines with a wrong value, and without the current one or the person whose value it is."""
    wrong = case.before or case.never or ""
    return [
        line
        for line in lines
        if line.contains(wrong)
        and not line.contains(case.now)
        and not (case.whose and line.contains(case.whose))
    ]


def print_table(judged: Sequence[Judged]) -> None:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for verdict in judged:
        groups[verdict.case.category].append(verdict)
    print(f"{'':16}{'current in':>12}{'former older':>14}{'no stale fact':>15}{'n':>6}")
    for name, members in [*groups.items(), ("all", list(judged))]:
        current = sum(verdict.has_current for verdict in members)
        older = sum(verdict.is_former_older for verdict in members)
        fresh = sum(verdict.has_no_stale_fact for verdict in members)
        print(f"{name:16}{current:12}{older:14}{fresh:15}{len(members):6}")
    print(
        f"tokens of memory in a prompt: median {median(verdict.tokens for verdict in judged):.0f}"
    )
