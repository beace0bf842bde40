"""No serious finding of axe, in both colour schemes, with everything on the page open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.site import ROOT, Site

AXE = Path(ROOT, "node_modules", "axe-core", "axe.min.js")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with `npm ci`")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_serious(
    open_page: OpenPage, site: Site, scheme: Scheme, width: int
) -> None:
    chat = open_page(site.url, width=width, scheme=scheme)
    chat.page.emulate_media(reduced_motion="reduce")
    chat.page.evaluate(AXE.read_text())
    findings = [find_serious(chat.page.evaluate("axe.run()"))]
    for text in ("My name is Ada.", "I live in Lyon.", "What do you know?"):
        chat.ask(text)
    findings.append(find_serious(chat.page.evaluate("axe.run()")))
    if width < 1200:
        chat.button("Show memory").click()
    expect(chat.panel.locator(".point").first).to_be_visible(timeout=WORK_MS)
    findings.append(find_serious(chat.page.evaluate("axe.run()")))
    assert findings == [[], [], []], json.dumps(findings, indent=1)


def find_serious(result: dict[str, list[dict[str, object]]]) -> list[dict[str, object]]:
    kept = ("id", "help")
    return [
        {name: found[name] for name in kept} | {"at": [n["html"] for n in found["nodes"]]}  # type: ignore[attr-defined]
        for found in result["violations"]
        if found["impact"] in {"serious", "critical"}
    ]
