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
_LINE = re.compile(r"[^\n.!?。！？]*(?:[.!?。！？]+|\n|\Z)")
_REPLIED_TO = re.compile(r"^\s*>.*$", re.MULTILINE)


def without_foreign(text: str) -> str:
    """The message without what somebody else wrote, or what is only to be worked on."""
    own = _REPLIED_TO.sub(" ", _CODE.sub(" ", text))
    own = _QUOTED.sub(lambda match: match[0] if _is_name(match[0]) else " … ", own)
    return _before_material(own)


def is_play(text: str) -> bool:
    """One joke or part that is played makes the whole message one."""
    low = plain(text)
    return any(one.play.search(low) for one in recognise(low))


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
