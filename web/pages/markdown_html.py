"""Markdown as HTML, for pages without scripts.

What a text says of HTML is shown as text, a link leads to the web or to a mailbox, and no image is
loaded. The page itself draws Markdown in the browser (`web/static/js/text/markdown.js`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape

# The parser's time grows with the square of some paragraphs' length: 20,000 characters of `[` take
# a second, 2,000 a fiftieth. Longer paragraphs, and longer texts, are shown as they were written.
MOST_PARAGRAPH_CHARS = 2_000
MOST_CHARS = 20_000
SAFE_LINKS = ("http://", "https://", "mailto:")
LINK_ATTRIBUTES = {"rel": "noopener noreferrer nofollow", "target": "_blank"}
#: Of the first heading of a text. The page has a title, and each message a heading.
FIRST_LEVEL = 3


def render_markdown(text: str, table_label: str) -> Markup:
    """Render Markdown. `table_label` names a table for screen readers, since it can be scrolled."""
    if len(text) > MOST_CHARS:
        return show_as_written(text)
    html = _parser().render(text, {"table_label": table_label})
    return Markup(html)  # noqa: S704 - the parser escapes all text


def show_as_written(text: str) -> Markup:
    return Markup('<div class="as-written">{}</div>').format(text)


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("js-default").disable("image")
    parser.validateLink = _is_safe  # type: ignore[assignment]
    parser.core.ruler.before("inline", "long", _leave_long)
    parser.core.ruler.push("page", _fit_page)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    return parser


def _is_safe(address: str) -> bool:
    return address.lower().startswith(SAFE_LINKS)


def _leave_long(state: StateCore) -> None:
    """Also a cell of a table, and a heading: whatever is parsed at once."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MOST_PARAGRAPH_CHARS:
            token.type = "text"


def _fit_page(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1:]) + FIRST_LEVEL - 1)}"
        elif token.type in {"th_open", "td_open"}:
            _align(token)
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs |= LINK_ATTRIBUTES


def _align(cell: Token) -> None:
    """The page's policy allows no inline styles."""
    style = str(cell.attrs.pop("style", ""))
    if style:
        cell.attrs["align"] = style.removeprefix("text-align:")


def _open_table(
    _renderer: RendererHTML, _tokens: Sequence[Token], _index: int, _options: Any, env: Any
) -> str:
    label = escape(env["table_label"])
    return f'<div class="table-frame" tabindex="0" role="region" aria-label="{label}"><table>\n'


def _close_table(*_: object) -> str:
    return "</table></div>\n"
