"""Markdown for pages without scripts: what is drawn, and what never becomes markup."""

from __future__ import annotations

import re

import pytest

from web.pages.markdown_html import MOST_CHARS, MOST_PARAGRAPH_CHARS, render_markdown

ALLOWED = {
    "a", "blockquote", "br", "code", "div", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


def draw(text: str) -> str:
    return str(render_markdown(text, 'A "table"'))


def test_headings_stand_below_those_of_the_page() -> None:
    assert draw("# One\n\n###### Six") == "<h3>One</h3>\n<h6>Six</h6>\n"


def test_a_table_can_be_scrolled_and_has_no_inline_style() -> None:
    html = draw("| a | b |\n| - | -: |\n| 1 | 2 |")
    assert 'role="region" aria-label="A &#34;table&#34;"' in html
    assert '<td align="right">2</td>' in html
    assert "style" not in html


@pytest.mark.parametrize(
    "link",
    ["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "vbscript:x", "//e.org",
     "/api/v1/me", "file:///etc/passwd", "java&#115;cript:alert(1)", "&#x6A;avascript:alert(1)"],
)  # fmt: skip
def test_a_link_leads_to_the_web_or_to_a_mailbox_alone(link: str) -> None:
    assert "<a" not in draw(f"[x]({link}) <{link}>\n\n[y][1]\n\n[1]: {link}")


def test_a_link_opens_beside_the_page_and_tells_nothing_of_it() -> None:
    html = draw("[x](HTTPS://example.org/?a=1&b)")
    assert 'href="HTTPS://example.org/?a=1&amp;b"' in html
    assert 'rel="noopener noreferrer nofollow"' in html
    assert 'target="_blank"' in html


def test_no_image_is_loaded() -> None:
    assert "<img" not in draw("![x](https://example.org/x.png)\n\n![y][1]\n\n[1]: https://e.org/y")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "<b onclick=x>", "`<i>`", "```<x>\n<u>\n```", "&lt;u&gt;",
        "<!-- c -->", "<svg/onload=x>", "\\<u>", "| <u> |\n| - |\n| <u> |", "<u\n>", "\x00<u>",
    ],
)  # fmt: skip
def test_nothing_but_a_few_tags_is_drawn(text: str) -> None:
    assert set(re.findall(r"<([a-z0-9]+)", draw(text))) <= ALLOWED


def test_a_text_that_would_take_long_is_shown_as_it_was_written() -> None:
    assert draw("*a*" + "[" * MOST_CHARS).startswith('<div class="as-written">*a*[[')
    assert "&lt;b&gt;" in draw("<b>" * MOST_CHARS)


def test_so_is_a_paragraph_that_would_take_long_and_the_others_are_drawn() -> None:
    html = draw(f"*a*\n\n**b** <i> {'[' * MOST_PARAGRAPH_CHARS}\n\n*c*")
    assert html.startswith("<p><em>a</em></p>\n<p>\n**b** &lt;i&gt; [[[")
    assert html.endswith("[</p>\n<p><em>c</em></p>\n")
