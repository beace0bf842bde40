"""The text of HTML: blocks between blank lines, items with hyphens, rows of tables with bars."""

from __future__ import annotations

import re
from html.parser import HTMLParser

BLOCKS = frozenset(
    ["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "blockquote"]
)
BEGINS = {"br": "\n", "li": "\n- ", "tr": "\n|", "td": " ", "th": " "}
ENDS = {"td": " |", "th": " |"}
UNSHOWN = frozenset(["script", "style", "head"])
#: The parser looks for the end of each of these anew, up to the end of the text.
OPEN = re.compile(r"<(?![^<>]*+>)")
CONDITION = re.compile(r"<!\[[^<>]*+>")
COMMENT = ("<!--", "-->")


def read_html(html: str) -> str:
    parser = _Text()
    parser.feed(OPEN.sub("&lt;", CONDITION.sub("", _without_comments(html))))
    parser.close()
    blocks = "".join(parser.pieces).split("\n\n")
    return "\n\n".join(text for block in blocks if (text := block.strip()))


def _without_comments(html: str) -> str:
    """An open comment goes on to the end."""
    begin, end = COMMENT
    text, *comments = html.split(begin)
    return text + "".join(comment.partition(end)[2] for comment in comments)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._unshown = 0
        self._preformatted = 0
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unshown += tag in UNSHOWN
        self._preformatted += tag == "pre"
        is_block = tag in BLOCKS and not self._cells
        self.pieces.append("\n\n" if is_block else BEGINS.get(tag, ""))
        self._cells += tag in ENDS

    def handle_endtag(self, tag: str) -> None:
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
