"""Canned sentences of the stand-in."""

from __future__ import annotations

STAND_IN = "I am the built-in helper, not a language model: I only repeat what I remember."
ASK_ME = "Ask “What can you do?” to hear more."
HOW_TO_SET = (
    "To set a real model, copy `.env.example` to `.env`, set `LLM_MODEL` and its key there, and "
    "start again; the README lists the providers."
)
ABOUT_ITSELF = f"""\
I am the built-in helper, not a language model or any other AI: I answer by fixed rules, so \
that you can see the memory at work before a real model is set.

I can note plain facts that you tell me in English, and what changes in them (“My dog is called \
Rex”, “I live in Oslo and work as a nurse”, “We moved to Madrid”). I can answer questions about \
them, and quote what you said (“What is my dog called?”, “What do you know about me?”).

I cannot write, explain, translate, calculate or advise, and I know nothing that was not said here.

{HOW_TO_SET}"""
NEEDS_MODEL = (
    "That needs a real language model. I am only the built-in helper: I note facts and repeat "
    f"what was said. {HOW_TO_SET}"
)
NOTHING_FOUND = f"I find nothing about that in what I remember. {STAND_IN}"
UNKNOWN = (
    "I find nothing about that in what I remember, and what was not said here only a real "
    f"language model can tell. {HOW_TO_SET}"
)
NOTHING_KNOWN = f"I remember nothing about you yet. {STAND_IN}"
NOT_REMEMBERED = "I will not remember that."
FORGOTTEN = "Forgotten: {keys}."
FORGOTTEN_WORDS = (
    "Forgotten: no other chat is told of it. If the memory panel still lists a fact of it, you can "
    "remove it there."
)
NOTHING_LEARNED = (
    "I found no fact about you in that to note, but I can quote it when you ask about it. "
    "I am only the built-in helper; ask “What can you do?” for more."
)
CANNOT_REMOVE = (
    "I cannot remove anything myself. In the memory panel beside this chat you can remove each "
    "fact, and with a conversation goes what was said in it."
)
FIRST_WORDS = "This is the first thing you said here."
WELCOME = "You're welcome!"
GOODBYE = "Goodbye!"
ALL_RIGHT = "All right."
BY_REQUEST = {"itself": ABOUT_ITSELF, "model": NEEDS_MODEL, "removal": CANNOT_REMOVE}
