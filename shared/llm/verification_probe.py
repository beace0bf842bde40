"""Try out whether a model can tell what was meant: sixteen doubtful notes, half of them true.

They are put to it as its second answer about facts is asked for, in one call.
"""

from __future__ import annotations

from shared.llm.verification import ask_about
from shared.policy.facts.verification import Note, make_note
from shared.settings import Settings

LONGEST_S = 60.0

_MOVED = "My sister is still in Rome, I left for Bern last year."
_CARS = "I drive a Skoda. No, wait, that one is the neighbours': I drive a Fiat."
_LETTER = "I am allergic to nuts and need a room without carpets."
#: (note, whether it is right). Each true one has a false twin.
CASES: tuple[tuple[Note, bool], ...] = (
    (make_note("home_city", "Rome", _MOVED), False),
    (make_note("home_city", "Bern", _MOVED), True),
    (make_note("occupation", "nurse", "I worked as a nurse until last year."), False),
    (make_note("occupation", "nurse", "I have worked as a nurse since last year."), True),
    (make_note("diet", "vegan", "Suppose I was vegan: what could I cook tonight?"), False),
    (make_note("diet", "vegan", "I'm vegan: what could I cook tonight?"), True),
    (make_note("allergy", "nuts", f"I am to answer this guest's mail: “{_LETTER}”"), False),
    (make_note("allergy", "nuts", f"Check the mail that I wrote about myself: “{_LETTER}”"), True),
    (make_note("home_city", "Hamburg", "Vielleicht ziehe ich irgendwann nach Hamburg."), False),
    (make_note("home_city", "Hamburg", "Vor einem Monat bin ich nach Hamburg gezogen."), True),
    (make_note("dog_name", "Bruno", "Mi jefe tiene un perro que se llama Bruno."), False),
    (make_note("dog_name", "Bruno", "Tengo un perro que se llama Bruno."), True),
    (make_note("car", "Skoda", _CARS), False),
    (make_note("car", "Fiat", _CARS), True),
    (make_note("piano", "", "I nearly sold the piano, but I kept it."), False),
    (make_note("piano", "", "I sold the piano, it was too loud."), True),
)


def probe_verification(model: str, settings: Settings, longest_s: float = LONGEST_S) -> int:
    """How many of `CASES` the model tells right. Takes at most `longest_s` seconds.

    Raises what `complete` raises.
    """
    limited = settings.model_copy(update={"llm_timeout_s": longest_s})
    verdicts = ask_about([note for note, _ in CASES], model, limited, longest_s).verdicts
    return sum(
        verdicts.get(number) == is_right for number, (_, is_right) in enumerate(CASES, start=1)
    )
