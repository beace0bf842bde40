"""Whether a model tells doubtful notes from true ones: `python -m bench.real_model verification`.

Puts the notes of the page's check to the model, in one call, and prints what it says of each.
"""

from __future__ import annotations

from bench.real_model.model import real_model_settings
from shared.llm.verification import ENOUGH, ask_about
from shared.llm.verification_probe import CASES

WORDS = {True: "yes", False: "no", None: "-"}


def main() -> None:
    settings = real_model_settings()
    if settings is None:
        return
    verdicts = ask_about([note for note, _ in CASES], settings.llm_model, settings).verdicts
    right = 0
    for number, (note, is_right) in enumerate(CASES, start=1):
        verdict = verdicts.get(number)
        right += verdict == is_right
        print(f"{WORDS[verdict]:>4} of {WORDS[is_right]:<4} {note.says:22} {note.passage}")
    print(f"right: {right} of {len(CASES)}; enough: {ENOUGH}")
