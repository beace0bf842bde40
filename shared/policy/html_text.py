"""The text of HTML: blocks between blank lines, items with hyphens, rows of tables with bars."""

from __future__ import annotations

import re
from contextlib import suppress
from html.parser import HTMLParser

from shared.policy.attachments.allowance import TAG_PARTS, Allowance

BLOCKS = frozenset(
    ["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "blockquote"]
)
BEGINS = {"br": "\n", "li": "\n- ", "tr": "\n|", "td": " ", "th": " "}
ENDS = {"td": " |", "th": " |"}
UNSHOWN = frozenset(["script", "style", "head"])
MAX_ENTITIES = 300_000
#: The tag of a picture that it holds itself. It is not shown, and takes the parser long.
LONG = re.compile(r"<[^<>]{4000,}+>")
#: The parser looks for the end of each of these anew, up to the end of the text.
OPEN = re.compile(r"<(?![^<>]*+>)")
CONDITION = re.compile(r"<!\[[^<>]*+>")
COMMENT = ("<!--", "-->")


def read_html(html: str, allowance: Allowance) -> str:
    """Read as far as the allowance goes."""
    parser = _Text(allowance)
    with suppress(_Spent):
        text = OPEN.sub("&lt;", LONG.sub("", CONDITION.sub("", _without_comments(html))))
        parser.feed(_with_few_entities(text, allowance))
        parser.close()
    blocks = "".join(parser.pieces).split("\n\n")
    return "\n\n".join(text for block in blocks if (text := block.strip()))


def _with_few_entities(text: str, allowance: Allowance) -> str:
    """The text before the first `&` that is too many."""
    pieces = text.split("&", MAX_ENTITIES)
    if len(pieces) <= MAX_ENTITIES:
        return text
    allowance.spend_all()
    return "&".join(pieces[:-1])


class _Spent(Exception):  # noqa: N818 - no fault
    """The allowance ends here."""


def _without_comments(html: str) -> str:
    """An open comment goes on to the end."""
    begin, end = COMMENT
    text, *comments = html.split(begin)
    return text + "".join(comment.partition(end)[2] for comment in comments)


class _Text(HTMLParser):
    def __init__(self, allowance: Allowance) -> None:
        super().__init__()
        self._allowance = allowance
        self.pieces: list[str] = []
        self._unshown = 0
        self._preformatted = 0
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._spend()
        self._unshown += tag in UNSHOWN
        self._preformatted += tag == "pre"
        is_block = tag in BLOCKS and not self._cells
        self.pieces.append("\n\n" if is_block else BEGINS.get(tag, ""))
        self._cells += tag in ENDS

    def handle_endtag(self, tag: str) -> None:
        self._spend()
        self._unshown -= tag in UNSHOWN and self._unshown > 0
        self._preformatted -= tag == "pre" and self._preformatted > 0
        self._cells -= tag in ENDS and self._cells > 0
        is_block = tag in BLOCKS and not self._cells
        self.pieces.append("\n\n" if is_block else ENDS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        if self._unshown:
            return
        if self._preformatted:
            self.pieces.append(data)
        elif words := data.split():
            self.pieces.append(
                f"{data[:1].isspace() * ' '}{' '.join(words)}{data[-1:].isspace() * ' '}"
            )
        elif data and self.pieces and self.pieces[-1][-1:] not in {"", "\n", " ", "|"}:
            self.pieces.append(" ")

    def _spend(self) -> None:
        if not self._allowance.spend(TAG_PARTS):
            raise _Spent
