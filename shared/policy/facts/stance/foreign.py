"""What stands in a message and is not the user speaking: quotations, pasted text, games."""

from __future__ import annotations

import re

from shared.policy.facts.stance.marks import Marks, list_marks, plain, recognise

# A name or a title may stand in quotation marks: up to so many words.
NAME_WORDS = 3
NAME_CHARS = 8  # in a script without spaces

_QUOTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|\"[^\"\n]*\""
    r"|(?<!\w)['‘](?=\w)[^\n]*?['’](?!\w)"
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
# A line with its speaker: Tom, [21:04] Tom, and then Tom said.
_SPEAKER = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?(?P<who>[^\s:：][^:：\n]{0,60})[:：][ \t]*(?=\S)",
    re.MULTILINE,
)
CHAT_LINES = 2  # from so many on, by different speakers, it is a chat
_LINE = re.compile(r"[^\n.!?。！？]*(?:[.!?。！？]+|\n|\Z)")
_REPLIED_TO = re.compile(r"^\s*>.*$", re.MULTILINE)


def without_foreign(text: str) -> str:
    """The message without what somebody else wrote, or what is only to be worked on."""
    own = _REPLIED_TO.sub(" ", _CODE.sub(" ", text))
    own = _QUOTED.sub(lambda match: match[0] if _is_name(match[0]) else " … ", own)
    return _before_material(_without_speakers(own))


def is_play(text: str) -> bool:
    """One joke or part that is played makes the whole message one."""
    low = plain(text)
    return any(one.play.search(low) for one in recognise(low))


def _without_speakers(text: str) -> str:
    """Without what others say: "Tom said: I live in Rome", and the lines of a pasted chat."""
    speakers = {match["who"].casefold() for match in _SPEAKER.finditer(text)}
    is_chat = len(speakers) > 1 and len(_SPEAKER.findall(text)) >= CHAT_LINES
    return "\n".join(line for line in text.split("\n") if not _is_anothers(line, is_chat=is_chat))


def _is_anothers(line: str, *, is_chat: bool) -> bool:
    match = _SPEAKER.match(line)
    if not match:
        return False
    who = plain(match["who"])
    languages = recognise(plain(line)) or list_marks()[:1]
    if any(one.own.search(who) for one in languages):
        return False
    said = plain(line[match.end() :])
    return is_chat or any(one.reports.search(who) and _says_i(one, said) for one in languages)


def _says_i(marks: Marks, text: str) -> bool:
    """ "The landlord wrote: my rent goes up" is the user's own wording, with their own "my"."""
    return bool(marks.own.search(marks.possessive.sub(" ", text)))


def _languages(line: str, text: str) -> tuple[Marks, ...]:
    """The material may be in another language than the order: 翻译:I live in Paris."""
    unspaced = (one for one in list_marks() if one.language.is_unspaced)
    return (*(recognise(line) or recognise(plain(text))), *unspaced)


def _is_name(quoted: str) -> bool:
    inner = quoted[1:-1]
    low = plain(inner)
    says_i = any(one.own.search(low) for one in recognise(low))
    if says_i or len(low.split()) > NAME_WORDS:
        return False
    return " " in low.strip() or low.isascii() or len(low) <= NAME_CHARS


def _before_material(text: str) -> str:
    """Without "Translate …"; where a colon or a line's end follows that, without all the rest."""
    kept: list[str] = []
    for line in _LINE.findall(text):
        low = plain(line).strip()
        if not any(one.tasks.match(low) for one in _languages(low, text)):
            kept.append(line)
        elif line.endswith("\n") or line.rstrip().endswith(":"):
            break
    return "".join(kept)
