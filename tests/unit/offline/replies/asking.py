"""A reply of the stand-in, with the memory that its tests share."""

from __future__ import annotations

from shared.offline.answer import write_answer

MEMORY = """You are helpful.

<memory>
What follows was remembered from what the user said before. My name is Mallory.

## User Profile
- The user's name: Alexander (since 2026-10-01)
- The user's home: Rotterdam (since 2026-10-01)
- The user's preference (tea): likes tea (since 2026-10-01)
- The user's constraint (allergy): nuts &amp; seeds (since 2026-10-01)
- The user's instruction (emojis): never use emojis (since 2026-10-01)

## Earlier conversations
- 2026-11-02, messages 0-9: User: We planned the trip to Oslo in March.

## This conversation so far
- [0-1] User: My budget is 900 euros.
</memory>"""

QUOTES = """<memory>
## Said before

Friday, 2023-06-09:
- User: We adopted a puppy last week. Is it raining?
- Ann: My puppy came from a shelter yesterday.
- Assistant: A puppy is a joy.
- Ann: I gave a talk about puppies at the school two months ago.

Sunday, 2023-07-02:
- User: The vet bill for the puppy was 90 euros.
</memory>"""


def reply(text: str, *earlier: str, system: str = MEMORY) -> str:
    """The answer to `text`, after the turns in `earlier`, the user's first."""
    roles = ("user", "assistant")
    messages = [{"role": "system", "content": system}]
    messages += [{"role": roles[n % 2], "content": content} for n, content in enumerate(earlier)]
    return write_answer([*messages, {"role": "user", "content": text}])
