"""What memory believes of a model's proposals: `python -m bench.beliefs CASES.json [WITNESS]`.

Each case has `lines` (what a user says), `model` (what a model proposes for each line), `keep` and
`refuse` (the facts that must and must not hold at the end). A case of what is to be forgotten has
`ask`, a question of another chat, and `untold`, the words that its prompt must not have.

Prints by kind how many false ones are believed, how many true ones are lost, and how many of those
words are told. WITNESS: `honest` or `unproven` (see `replay`); without it, both. `-v` names the
cases that failed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from bench.beliefs.forgotten import count_told
from tests.unit.policy.facts.replay import Result, Witness, replay

Cases = Sequence[Mapping[str, Any]]


def main(arguments: list[str]) -> None:
    is_verbose = "-v" in arguments
    path, *names = [argument for argument in arguments if argument != "-v"]
    cases: Cases = json.loads(Path(path).read_text(encoding="utf-8"))
    for witness in get_args(Witness):
        if not names or witness in names:
            _report(cases, witness, is_verbose=is_verbose)
    leaks, words = count_told(cases)
    for kind in sorted(words):
        _print_row(f"told {kind}", (leaks[kind], words[kind]))


def _report(cases: Cases, witness: Witness, *, is_verbose: bool) -> None:
    false, lost, refusable, keepable = (Counter[str]() for _ in range(4))
    for case in cases:
        kind = case.get("kind", "")
        result = replay(case, witness)
        false[kind] += len(result.false)
        lost[kind] += len(result.lost)
        refusable[kind] += len(case.get("refuse", ()))
        keepable[kind] += len(case.get("keep", ()))
        if is_verbose and (result.false or result.lost):
            _print_failure(case, result)
    print(f"{witness:20} {'false':>12} {'lost':>12}")
    for kind in sorted(refusable | keepable):
        _print_row(kind, (false[kind], refusable[kind]), (lost[kind], keepable[kind]))
    _print_row("all", (false.total(), refusable.total()), (lost.total(), keepable.total()))


def _print_failure(case: Mapping[str, Any], result: Result) -> None:
    print(f"  {case.get('kind')}: {case['lines']!r}\n    false {result.false} lost {result.lost}")


def _print_row(kind: str, *counts: tuple[int, int]) -> None:
    cells = [f"{part:4}/{whole:<3} {100 * part / (whole or 1):3.0f}%" for part, whole in counts]
    print(f"{kind:20} {' '.join(cells)}")


if __name__ == "__main__":
    main(sys.argv[1:])
