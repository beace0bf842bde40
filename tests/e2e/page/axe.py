"""What axe finds on a page that is shown.

To look at a whole page takes it up to a second of CPU, most of it for colours. So a page is looked
at with all rules once, and in another look with those alone whose answer may be another there; and
an open dialog is looked at without the page beneath, which cannot be reached meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.tabs import Scheme
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import ROOT

AXE = Path(ROOT, "node_modules", "axe-core", "axe.min.js")
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with `bin/page-tools`")

# Colours are those that stand at the end of all transitions: the end of one may begin the next. To
# bring over what is in order, too, would take several times as long.
LIST_VIOLATIONS = """async ([parts, rules]) => {
  const findMoving = () => document.getAnimations().filter((one) =>
    one.playState === 'running' && Number.isFinite(one.effect.getComputedTiming().endTime));
  for (let moving = findMoving(); moving.length; moving = findMoving()) {
    await Promise.allSettled(moving.map((one) => one.finished));
  }
  const dialogs = [...document.querySelectorAll('dialog:modal')];
  const place = [parts, dialogs].find(({ length }) => length) ?? document;
  const runOnly = rules.length ? { runOnly: { type: 'rule', values: rules } } : {};
  const { violations } = await axe.run(place, { resultTypes: ['violations'], ...runOnly });
  return violations;
}"""
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
#: Each width and each scheme of colours once. What depends on neither needs no second story.
LOOKS: tuple[tuple[int, Scheme], ...] = ((360, "dark"), (1280, "light"))
#: The rules whose answer depends on the width, and those where it depends on colours, too.
RULES_OF_WIDTH = ("scrollable-region-focusable",)
RULES_OF_LOOKS = ("color-contrast", "link-in-text-block", *RULES_OF_WIDTH)

Findings = list[dict[str, Any]]


def list_violations(page: Page, parts: Sequence[str] = (), rules: Sequence[str] = ()) -> Findings:
    """What axe says of these parts, by selector. `rules`: these alone."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    violations: Findings = page.evaluate(LIST_VIOLATIONS, [parts, rules])
    return violations


def find_serious(chat: ChatPage, *parts: str, rules: Sequence[str] = ()) -> Findings:
    """Of the whole page or its open dialog, or of the parts that these selectors name."""
    return [
        {
            "id": violation["id"],
            "help": violation["help"],
            "at": [node["html"] for node in violation["nodes"]],
        }
        for violation in list_violations(chat.page, parts, rules)
        if violation["impact"] in {"serious", "critical"}
    ]


def find_in_schemes(chat: ChatPage, *parts: str) -> Findings:
    """What `find_serious` finds in the page as it is, in light and in dark colours."""
    findings, rules = [], tuple[str, ...]()
    for scheme in SCHEMES:
        chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        findings += find_serious(chat, *parts, rules=rules)
        rules = RULES_OF_LOOKS
    return findings


def find_in_looks(
    chat: ChatPage, *parts: str, rules: Sequence[str] = RULES_OF_LOOKS
) -> dict[str, Findings]:
    """What `find_serious` finds in the page as it is, and whether it is too wide, by look.

    `rules`: of the second look; none: all.
    """
    findings: dict[str, Findings] = {}
    rules_now: Sequence[str] = ()
    for width, scheme in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        look = f"{width} {scheme}"
        findings[look] = find_serious(chat, *parts, rules=rules_now)
        if chat.page.evaluate(OVERFLOW) > 0:
            findings[look].append({"id": "wider than the screen"})
        rules_now = rules
    return findings
