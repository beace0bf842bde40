"""How a model does in the examination: `python -m bench.real_model examination`.

Puts the notes to the model one by one, all of them, and prints those that go wrong.
"""

from __future__ import annotations

from dataclasses import replace

from bench.real_model.model import real_model_settings
from shared.derivations.examination import ask_next, list_notes
from shared.models.site_models import Examination
from shared.prompts import load_prompt


def main() -> None:
    settings = real_model_settings()
    if settings is None:
        return
    result = Examination(prompt_version=load_prompt("facts").version)
    for note in list_notes():
        before = result
        result = replace(ask_next(before, settings.llm_model, settings), is_done=False)
        mark = "!" if result.believed > before.believed else ""
        mark = "-" if result.lost > before.lost else mark
        print(f"{mark:1} {note.message}", flush=True)
    done = replace(result, is_done=True)
    print(f"believed {done.believed} of {done.traps} traps, lost {done.lost} of {done.plain}")
    print("passed" if done.has_passed else "not passed")
