"""Divides a message by its layout into the user's own words and material, such as a pasted mail.

Quotations, code, logs, forwarded mails, letters and pasted chats teach nothing about the user. Only
marks and lines are read here, so that it works in any language; what a text without such marks is,
the model tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

GREETING_WORDS = 5
SIGNATURE_WORDS = 4
LETTER_PARTS = 3  # paragraphs: greeting, text and signature apart
NAME_WORDS = 3  # names and titles in quotation marks are kept
NAME_CHARS = 8  # the same for scripts without spaces
CHAT_LINES = 2  # the fewest lines of a chat; it has at least two speakers
FORM_LINES = 3  # with as many labels: "Name: …", "Home: …", "Work: …"
MAX_LINE = 300  # characters; no longer line is told by its form
MAIL_HEADS = 2  # lines such as "From: …" that make a mail's head

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n+")
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
#: A text between two rules, after a line that ends with a colon.
_RULED = re.compile(
    r"(?<=[:：]\n)[ \t]*([-=_*])\1{2,}[ \t]*\n.*?^[ \t]*\1{3,}[ \t]*$", re.DOTALL | re.MULTILINE
)
_STRUCK = re.compile(r"~~[^~\n]+~~")
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_REPLIED_TO = re.compile(r"^\s*>.*$", re.MULTILINE)
_QUOTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|\"[^\"\n]*\""
    r"|(?<!\w)['‘](?=\w)[^\n]*?['’](?!\w)"
)
#: "-----", "--- Forwarded message ---", "=====".
_RULE = re.compile(r"^[ \t]*(?:[-=_*#]{3,}[^\n]*[-=_*#]{3,}|[-=_*]{4,})[ \t]*$")
_MAIL_HEAD = re.compile(r"^[ \t]*[^\W\d][\w. -]{0,20}[:：][ \t]*\S.*$")
_ADDRESS = re.compile(r"<?[\w.+-]+@[\w-]+\.\w")
_WROTE = re.compile(r"^[^\n]*\d[^\n:]{3,}:[ \t]*$")
_LOG = re.compile(
    r"^[ \t]*[\[(]?\d{2,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ,]+\d{1,2}:\d{2}"
    r"|^[ \t]*[\[(]?\d{1,2}:\d{2}:\d{2}|^[ \t]*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\b"
)
_CODE = re.compile(
    r"[;{}]\s*$|^\s*(?://|#!|/\*|\*/|<!?/?\w[^<>]*>|>>> |\$ )|^\s*@[\w.]+(?:\(.*\))?\s*$|"
    r"=>|==|!=|:=|\)\s*:\s*$|</\w+>|^\s*import [\w.]+$|^\s*from [\w.]+ import |"
    r"^\s*(?:def|class|function|const|let|var|return|print|echo|public|private|package|func|fn|"
    r"SELECT|INSERT|UPDATE|CREATE)\b.*[(){}\[\]=;:*\"']|"
    r"^\s*\|.*\|\s*$|^(?:[^,;\n]{1,30}[,;](?! )){2,}[^,;\n]{1,30}$|^(?:[^\t\n]+\t){2,}|"
    r"^\s*File \".*\", line \d+|^\s*at [\w.$]+\(|^Traceback|^\w*(?:Error|Exception):|"
    r"^\s*[\w.\[\]]+\s*=\s*[\w\"'\[({-].*$|^\s*[\w.]+\(.*\)\s*;?$|^\s*[\"'][\w -]+[\"']\s*:"
)
_GREEK_QUESTION = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff]);")
_COMMENT = re.compile(r"^\s*(?://|#|--|/\*|\*|%|<!--|\"\"\"|''')")
_PROSE = re.compile(r"^\s*[A-ZÀ-Þ].*[a-zà-ÿ]{2,} [a-zà-ÿ]{2,} .*[.?!:]\s*$")
#: A line that begins with its speaker: "Tom:", "[21:04] Tom:".
_SPEAKER = re.compile(
    r"^[ \t]*(?P<stamp>(?:\[[^\]\n]{1,40}\]|(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?\d{1,2}[:.]\d{2}"
    r"(?:[:.]\d{2})?(?: ?[AaPp][Mm])?(?: ?[-–,])?)[ \t]+)?"
    r"(?P<who>[^\s:：][^:：\n]{0,60})[:：][ \t]*(?=\S)",
    re.MULTILINE,
)
#: A line of a name and a time: "Priya 9:41 AM".
_CHAT_HEAD = re.compile(
    r"^[ \t]*[^\W\d][\w .-]{0,30}[ ,(\[]+\d{1,2}[:.]\d{2}(?: ?[AaPp][Mm])?[)\]]?:?[ \t]*$",
    re.MULTILINE,
)
_GREETING = re.compile(r"^[^\W\d][^\n.?:;]{0,40}[,!，！]$")
_SIGNATURE = re.compile(r"^[^\W\d][^\n?:;.!]{0,40}$")
_WORD = re.compile(r"\w+(?:['’]\w+)?")


def own_text(text: str) -> str:
    """The message without material. Paragraphs stay apart, so that no sentence runs on."""
    text = _STRUCK.sub(" ", _RULED.sub("\n\n", _FENCED.sub("\n\n", text)))
    text = _without_chat(_without_mail(text))
    paragraphs = [each for each in map(_without_code, _PARAGRAPH_END.split(text)) if each.strip()]
    letter = _find_letter(paragraphs)
    text = "\n\n".join(each for n, each in enumerate(paragraphs) if n not in letter)
    words = _REPLIED_TO.sub(" ", _INLINE_CODE.sub(" ", text))
    return _QUOTED.sub(lambda match: match[0] if _is_name(match[0]) else " … ", words)


def _without_mail(text: str) -> str:
    """Leave out a forwarded mail: from its rule or its head to the end."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if len(line) > MAX_LINE:
            continue
        head = lines[number : number + MAIL_HEADS]
        is_head = len(head) == MAIL_HEADS and all(_MAIL_HEAD.match(each) for each in head)
        near = lines[number : number + MAIL_HEADS + 2]
        is_begun = (
            (is_head and any(_ADDRESS.search(each) for each in near))
            or (_WROTE.match(line) and (_ADDRESS.search(line) or near[1:2] == [""]))
            or (_RULE.match(line) and re.search(r"\w", line))
        )
        if is_begun:
            return "\n".join(lines[:number])
    return text


def _without_chat(text: str) -> str:
    """Leave out a pasted chat: lines with their speakers, or with a name and a time above."""
    if len(_CHAT_HEAD.findall(text)) >= CHAT_LINES:
        text = "\n\n".join(
            each for each in _PARAGRAPH_END.split(text) if not _CHAT_HEAD.search(each)
        )
    spoken = [match for line in text.split("\n") if (match := _SPEAKER.match(line))]
    speakers = {match["who"].casefold() for match in spoken}
    is_form = len(spoken) == len(speakers) >= FORM_LINES
    is_chat = len(speakers) > 1 and len(spoken) >= CHAT_LINES and not is_form
    return "\n".join(line for line in text.split("\n") if not _is_spoken(line, is_chat=is_chat))


def _is_spoken(line: str, *, is_chat: bool) -> bool:
    match = _SPEAKER.match(line)
    if match is None:
        return False
    return is_chat or bool(re.search(r"\d", match["stamp"] or ""))


def _without_code(paragraph: str) -> str:
    """Leave out lines of code and logs, and the comments among them."""
    lines = paragraph.split("\n")
    is_code = [
        len(line) <= MAX_LINE
        and bool(_CODE.search(_GREEK_QUESTION.sub("?", line)) or _LOG.match(line))
        for line in lines
    ]
    if not any(is_code):
        return paragraph
    return "\n".join(
        line
        for line, is_foreign in zip(lines, is_code, strict=True)
        if (_is_prose(line) if is_foreign else not _is_comment(line))
    )


def _is_prose(line: str) -> bool:
    """A sentence that looks like code by chance, such as one that begins with "From"."""
    return bool(_PROSE.match(line)) and "(" not in line and "=" not in line


def _is_comment(line: str) -> bool:
    return bool(_COMMENT.match(line)) or line.startswith(("    ", "\t"))


def _find_letter(paragraphs: Sequence[str]) -> range:
    """The paragraphs from a greeting to a signature. A short message that is all a letter has none:
    nobody else is known to have written it.
    """
    first = next((n for n, each in enumerate(paragraphs) if _is_greeting(each)), None)
    if first is None:
        return range(0)
    signed = (n for n in range(first, len(paragraphs)) if _is_signature(paragraphs[n]))
    last = next(signed, None)
    if last is None:
        return range(first, len(paragraphs)) if first else range(0)
    is_whole = first == 0 and last == len(paragraphs) - 1
    return range(0) if is_whole and last < LETTER_PARTS - 1 else range(first, last + 1)


def _is_greeting(paragraph: str) -> bool:
    line = paragraph.split("\n", maxsplit=1)[0].strip()
    is_followed = "\n" in paragraph.strip() or len(_WORD.findall(paragraph)) <= GREETING_WORDS
    is_short = len(_WORD.findall(line)) <= GREETING_WORDS
    return is_followed and is_short and bool(_GREETING.match(line))


def _is_signature(paragraph: str) -> bool:
    """A last line that is a name, below other lines: "Best, Petra"."""
    lines = [line.strip() for line in paragraph.split("\n") if line.strip()]
    last = lines[-1]
    is_short = len(_WORD.findall(last)) <= SIGNATURE_WORDS and bool(_SIGNATURE.match(last))
    return is_short and last[:1].isupper()


def _is_name(quoted: str) -> bool:
    inner = quoted[1:-1].strip()
    if len(inner.split()) > NAME_WORDS:
        return False
    return " " in inner or inner.isascii() or len(inner) <= NAME_CHARS
