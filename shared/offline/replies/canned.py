"""Canned sentences of the stand-in."""

from __future__ import annotations

ONLY_REPEAT = "I can only repeat what you told me."
STAND_IN = f"I am the built-in helper, not a language model. {ONLY_REPEAT}"
ASK_ME = "Ask “What can you do?” to hear more."
ABOUT_ITSELF = """\
I am the built-in helper, not a language model or any other AI: I answer by fixed rules, so \
that you can see the memory at work before a real model is set.

I can note plain facts that you tell me in English, and what changes in them (“My dog is called \
Rex”, “I live in Oslo and work as a nurse”, “We moved to Madrid”). I can answer questions about \
them, and quote what you said (“What is my dog called?”, “What do you know about me?”).

I cannot write, explain, translate, calculate or advise. {ONLY_REPEAT}"""
NEEDS_MODEL = f"That needs a real language model. {ONLY_REPEAT}"
NOTHING_FOUND = f"I find nothing about that in what I remember. {STAND_IN}"
UNKNOWN = f"I find nothing about that in what I remember. {ONLY_REPEAT}"
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
