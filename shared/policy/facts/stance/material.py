"""Divides a message by its layout into the user's own words and material, such as a pasted mail.

Material is a forwarded mail, a letter between other words, verse, code, a log, and whatever a
request points at ("Is this a scam?"). It teaches nothing about the user, unless their own words
claim it ("this is my CV").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.policy.facts.stance.patterns import Patterns, list_languages, plain, recognise

BARE_REQUEST_WORDS = 12
REQUEST_WORDS = 30  # a longer paragraph is no mere request
GREETING_WORDS = 5
SIGNATURE_WORDS = 4
VERSE_LINES = 3
VERSE_WORDS = 10  # in a line of verse, at most
VERSE_SHARE = 0.6  # of its lines end without a full stop
CHAT_HEADS = 2  # lines such as "Priya 9:41 AM" that make a chat
MAX_LINE = 300  # characters; no longer line is told by its form
MAIL_HEADS = 2  # lines such as "From: …" that make a mail's head

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n+")
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
#: A text between two rules, after a line that ends with a colon.
_RULED = re.compile(
    r"(?<=[:：]\n)[ \t]*([-=_*])\1{2,}[ \t]*\n.*?^[ \t]*\1{3,}[ \t]*$", re.DOTALL | re.MULTILINE
)
_STRUCK = re.compile(r"~~[^~\n]+~~")
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
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s")
_PROSE = re.compile(r"^\s*[A-ZÀ-Þ].*[a-zà-ÿ]{2,} [a-zà-ÿ]{2,} .*[.?!:]\s*$")
_QUOTED_LINE = re.compile(r"[\"“„«»「『][^\"“”„«»「」『』]{12,}[\"”“»«」』]")
_WHOLLY_QUOTED = re.compile(r"^\s*[\"“„«»「『'‘].*[\"”“»«」』'’]\s*$", re.DOTALL)
_CHAT_HEAD = re.compile(
    r"^[ \t]*[^\W\d][\w .-]{0,30}[ ,(\[]+\d{1,2}[:.]\d{2}(?: ?[AaPp][Mm])?[)\]]?:?[ \t]*$",
    re.MULTILINE,
)
_GREETING = re.compile(r"^[^\W\d][^\n.?:;]{0,40}[,!，！:：]?$")
_SIGNATURE = re.compile(r"^[^\W\d][^\n?:;]{0,40}[.!]?$")
#: Words before a place: "in my mailbox".
_PLACE = re.compile(
    r"\b(?:in|on|at|from|into|to|through|under|near|im|aus|auf|an|am|von|dans|sur|en|no|na|nos|nas|"
    r"em|su|nel|nella|sulla|op|uit|в|на|из|for|about|with|of|für|über|mit|von|pour|avec|de|para|con|"
    r"com|per|voor|met|van|для|о)\s*$"
)
_WORD = re.compile(r"\w+(?:['’]\w+)?")


def without_material(text: str) -> str:
    """The user's own words. Paragraphs stay apart, so that no sentence runs into the next."""
    text = _STRUCK.sub(" ", _RULED.sub("\n\n", _FENCED.sub("\n\n", text)))
    text = _without_chat(_without_mail(text))
    paragraphs = [
        paragraph
        for each in _PARAGRAPH_END.split(text)
        if (paragraph := _without_code(each)).strip()
    ]
    if "".join(paragraphs) != "".join(_PARAGRAPH_END.split(text)):
        return "\n\n".join(paragraphs)  # a request was about the code
    if len(paragraphs) == 1:
        paragraphs = _split_request(paragraphs[0])
    return "\n\n".join(_own_paragraphs(paragraphs))


def claims_material(text: str) -> bool:
    """Whether the user's own words say that a text in the message is theirs."""
    paragraphs = [each for each in _PARAGRAPH_END.split(text) if each.strip()]
    if len(paragraphs) == 1:
        paragraphs = _split_request(paragraphs[0])
    return len(paragraphs) > 1 and any(claims(each) for each in paragraphs)


def _without_mail(text: str) -> str:
    """Leave out a forwarded mail: from its rule or its head to the end."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if len(line) > MAX_LINE:
            continue
        head = lines[number : number + MAIL_HEADS]
        is_head = len(head) == MAIL_HEADS and all(_MAIL_HEAD.match(each) for each in head)
        near = lines[number : number + MAIL_HEADS + 2]
        if is_head and any(_ADDRESS.search(each) for each in near):
            return "\n".join(lines[:number])
        if _WROTE.match(line) and (_ADDRESS.search(line) or lines[number + 1 : number + 2] == [""]):
            return "\n".join(lines[:number])
        if _RULE.match(line) and re.search(r"\w", line):
            return "\n".join(lines[:number])
    return text


def _without_chat(text: str) -> str:
    """Leave out a pasted chat: lines with a name and a time, and what follows each of them."""
    if len(_CHAT_HEAD.findall(text)) < CHAT_HEADS:
        return text
    return "\n\n".join(each for each in _PARAGRAPH_END.split(text) if not _CHAT_HEAD.search(each))


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


def _split_request(paragraph: str) -> list[str]:
    """A request in the first or the last line is a paragraph of its own."""
    lines = [line for line in paragraph.split("\n") if line.strip()]
    if len(lines) > 1 and _is_request(lines[0]):
        return [lines[0], "\n".join(lines[1:])]
    if len(lines) > 1 and _is_request(lines[-1]):
        return ["\n".join(lines[:-1]), lines[-1]]
    return [paragraph]


def _own_paragraphs(paragraphs: Sequence[str]) -> list[str]:
    if len(paragraphs) < 2:
        return list(paragraphs)
    if any(claims(each) for each in paragraphs):
        return list(paragraphs)
    if _is_bare_request(paragraphs):
        return []
    if _is_request(paragraphs[0]):
        has_text = _QUOTED_LINE.search(paragraphs[0])  # what it points at, in the paragraph itself
        return [paragraphs[0], *(paragraphs[1:] if has_text else _after_letter(paragraphs[1:]))]
    if _is_request(paragraphs[-1]):
        return [paragraphs[-1]]
    letter = _find_letter(paragraphs)
    return [
        each
        for number, each in enumerate(paragraphs)
        if number not in letter and not _is_verse(each)
    ]


def _is_bare_request(paragraphs: Sequence[str]) -> bool:
    """Whether a short first or last paragraph is about a text in which nobody says "I"."""
    if any(_is_own(each) for each in paragraphs):
        return False
    lengths = [len(_WORD.findall(each)) for each in paragraphs]
    return min(lengths[0], lengths[-1]) <= BARE_REQUEST_WORDS and max(lengths) > max(
        BARE_REQUEST_WORDS, 2 * min(lengths[0], lengths[-1])
    )


def _after_letter(paragraphs: Sequence[str]) -> Sequence[str]:
    """What follows the text that a request was about, where its end shows."""
    if _WHOLLY_QUOTED.match(paragraphs[0]):
        return paragraphs[1:]
    letter = _find_letter(paragraphs)
    if not letter or letter.start != 0:
        return ()
    return paragraphs[letter.stop :]


def _find_letter(paragraphs: Sequence[str]) -> range:
    """The paragraphs from a greeting to a signature. A message that is one letter has none.

    Without a signature a letter goes on to the end, but only after other words.
    """
    first = next((n for n, each in enumerate(paragraphs) if _is_greeting(each)), None)
    if first is None:
        return range(0)
    last = next(
        (n for n in range(first, len(paragraphs)) if _is_signature(paragraphs[n])),
        len(paragraphs) - 1 if first else None,
    )
    is_whole = first == 0 and last == len(paragraphs) - 1
    if last is None or (is_whole and not _is_set_out(paragraphs)):
        return range(0)
    return range(first, last + 1)


def _is_set_out(paragraphs: Sequence[str]) -> bool:
    """Whether greeting and signature stand apart, as in a letter; nobody writes so to a chat."""
    is_greeting_apart = len(_WORD.findall(paragraphs[0])) <= GREETING_WORDS
    return is_greeting_apart and len(_WORD.findall(paragraphs[-1])) <= 2 * SIGNATURE_WORDS


def _is_greeting(paragraph: str) -> bool:
    line = paragraph.split("\n", maxsplit=1)[0].strip()
    return (
        line[-1:] in (",", "!", "，", "！")
        and len(_WORD.findall(line)) <= GREETING_WORDS
        and bool(_GREETING.match(line))
    )


def _is_signature(paragraph: str) -> bool:
    lines = [line.strip() for line in paragraph.split("\n") if line.strip()]
    last = lines[-1]
    is_short = len(_WORD.findall(last)) <= SIGNATURE_WORDS and bool(_SIGNATURE.match(last))
    return is_short and not _is_own(last) and last[:1].isupper()


def _is_verse(paragraph: str) -> bool:
    """Several short lines, hardly any a sentence, and no list of the user's."""
    lines = [line.strip() for line in paragraph.split("\n") if line.strip()]
    if len(lines) < VERSE_LINES or any(_BULLET.match(line) or ":" in line for line in lines):
        return False
    is_short = all(len(_WORD.findall(line)) <= VERSE_WORDS for line in lines)
    running = [line for line in lines if line[-1] not in ".!?。"]
    commas = [line for line in lines if line[-1] in ",;"]
    return is_short and len(running) >= VERSE_SHARE * len(lines) and bool(commas)


def _is_request(paragraph: str) -> bool:
    """A short paragraph about a text: it ends with a colon, points at it, or asks to change it."""
    if len(paragraph) > MAX_LINE or len(_WORD.findall(paragraph)) > REQUEST_WORDS:
        return False
    low = plain(paragraph).strip()
    languages = recognise(low)
    if low.endswith((":", "：")):
        return not any(_is_owners_label(language, low) for language in languages)
    return any(
        language.points.search(low) or language.tasks.search(language.writes.sub(" ", low))
        for language in languages or list_languages()
    )


def _is_owners_label(language: Patterns, low: str) -> bool:
    """ "About me:" and "my situation:", but not "my boss wrote:"."""
    is_others = language.anybody.search(low) or language.reports.search(low)
    return not is_others and bool(
        language.possessive.search(low) or language.label_ends.search(low.rstrip(" :："))
    )


def claims(paragraph: str) -> bool:
    """Whether the user's own words claim the text, as "This is my CV" does."""
    if len(paragraph) > MAX_LINE:
        return False
    low = plain(paragraph).strip()
    return len(_WORD.findall(low)) <= REQUEST_WORDS and any(
        language.claims_text.search(low)
        or (
            (language.points.search(low) or language.tasks.search(low))
            and not language.anybody.search(low)
            and not language.reports.search(low)
            and any(not _PLACE.search(low[: m.start()]) for m in language.possessive.finditer(low))
        )
        for language in recognise(low)
    )


def _is_own(text: str) -> bool:
    low = plain(text)
    return any(language.first_person.search(low) for language in recognise(low))
