"""Finds foreign text in a message: quotations, pasted chats, and text to be worked on."""

from __future__ import annotations

import re

from shared.policy.facts.stance.clauses import is_negated
from shared.policy.facts.stance.material import claims, claims_material, without_material
from shared.policy.facts.stance.patterns import Patterns, list_languages, plain, recognise

# Names and titles in quotation marks are kept. They have at most so many words.
NEAR_CHARS = 12  # "I'm not kidding"
NAME_WORDS = 3
NAME_CHARS = 8  # the same for scripts without spaces

_QUOTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|\"[^\"\n]*\""
    r"|(?<!\w)['‘](?=\w)[^\n]*?['’](?!\w)"
)
_CODE = re.compile(r"`[^`\n]*`")
# A line that begins with its speaker: "Tom:", "[21:04] Tom:", "Tom said:".
_SPEAKER = re.compile(
    r"^[ \t]*(?P<stamp>(?:\[[^\]\n]{1,40}\]|(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?\d{1,2}[:.]\d{2}"
    r"(?:[:.]\d{2})?(?: ?[AaPp][Mm])?(?: ?[-–,])?)[ \t]+)?"
    r"(?P<who>[^\s:：][^:：\n]{0,60})[:：][ \t]*(?=\S)",
    re.MULTILINE,
)
FORM_LINES = 3  # with as many labels
CHAT_LINES = 2  # the fewest lines of a chat; it has at least two speakers
_LINE = re.compile(r"[^\n.!?。！？]*(?:[.!?。！？]+|\n|\Z)")
_REPLIED_TO = re.compile(r"^\s*>.*$", re.MULTILINE)


def without_foreign(text: str, *, keeps_tasks: bool = False) -> str:
    """The message without other people's words and without text to be worked on.

    `keeps_tasks`: what the user wants done stays, since it may be a standing instruction.
    """
    words = _REPLIED_TO.sub(" ", _CODE.sub(" ", without_material(text)))
    words = _QUOTED.sub(lambda match: match[0] if _is_name(match[0]) else " … ", words)
    words = _without_speakers(words)
    return words if keeps_tasks or claims_material(text) else _without_task_and_material(words)


def is_play(text: str) -> bool:
    """Whether the message says anywhere that it is a joke, a game or fiction."""
    low = plain(text)
    return any(
        not is_negated(low[max(0, match.start() - NEAR_CHARS) : match.start()], (language,))
        for language in recognise(low)
        for match in language.play.finditer(low)
    )


def _without_speakers(text: str) -> str:
    """Leave out the words of others: "Tom said: I live in Rome", and the lines of a pasted chat."""
    speakers = {match["who"].casefold() for match in _SPEAKER.finditer(text)}
    lines = [match["who"] for match in _SPEAKER.finditer(text)]
    is_form = len(lines) == len(speakers) >= FORM_LINES  # "Name: …", "Home: …", "Work: …"
    is_chat = len(speakers) > 1 and len(lines) >= CHAT_LINES and not is_form
    return "\n".join(line for line in text.split("\n") if not _is_foreign(line, is_chat=is_chat))


def _is_foreign(line: str, *, is_chat: bool) -> bool:
    match = _SPEAKER.match(line)
    if not match:
        return False
    who = plain(match["who"])
    languages = recognise(plain(line)) or list_languages()[:1]
    if any(language.first_person.search(who) for language in languages):
        return False
    report = plain(line[match.end() :])
    is_stamped = bool(re.search(r"\d", match["stamp"] or ""))
    return (
        is_chat
        or is_stamped
        or any(language.reports.search(who) and _says_i(language, report) for language in languages)
    )


def _says_i(language: Patterns, text: str) -> bool:
    """Whether the text has "I", which is its speaker. "my" does not count: it may be the user's."""
    return bool(language.first_person.search(language.possessive.sub(" ", text)))


def _own_after_colon(line: str, languages: tuple[Patterns, ...]) -> str:
    """ "Write me a profile: I'm 34": what a new text is to say of the user. Else "".

    What follows a quotation, which is an ellipsis here, is the user's own, too.
    """
    head, colon, tail = line.partition(":")
    quotation, _, rest = tail.partition("…")
    if not quotation.strip() and any(
        language.first_person.search(plain(rest)) for language in languages
    ):
        return rest
    makes_text = claims(head) or any(
        language.writes.match(plain(head).strip()) for language in languages
    )
    says_i = any(language.first_person.search(plain(tail)) for language in languages)
    return tail if colon and tail.strip() and makes_text and says_i else ""


def _languages(line: str, text: str) -> tuple[Patterns, ...]:
    """Languages of the task, which may differ from the text's: "Translate: Ich wohne in Graz"."""
    unspaced = (language for language in list_languages() if language.table.is_unspaced)
    head = line.partition(":")[0]
    return (*(recognise(line) or recognise(plain(text))), *recognise(head), *unspaced)


def _is_name(quoted: str) -> bool:
    inner = quoted[1:-1]
    low = plain(inner)
    says_i = any(language.first_person.search(low) for language in recognise(low))
    if says_i or len(low.split()) > NAME_WORDS:
        return False
    return " " in low.strip() or low.isascii() or len(low) <= NAME_CHARS


def _without_task_and_material(text: str) -> str:
    """Leave out task sentences such as "Translate …", and the material after them.

    All later text is material if the task ends with a colon or with the line.
    """
    parts: list[str] = []
    for line in _LINE.findall(text):
        low = plain(line).strip()
        languages = _languages(low, text)
        if not any(language.tasks.match(low) for language in languages):
            parts.append(line)
        elif tail := _own_after_colon(line, languages):
            parts.append(tail)
        elif line.endswith("\n") or line.rstrip().endswith(":"):
            break
    return "".join(parts)
