"""Draws the icons of the installed page from icon.svg, for `bin/icons`."""

from __future__ import annotations

import re

from playwright.sync_api import sync_playwright

from tests.e2e.page.conftest import CHROMIUM
from web.pages.assets import STATIC

FOLDER = STATIC / "icons"
ROUND_CORNERS = re.compile(r' rx="\d+"')
#: Systems cut a maskable icon to a circle of 80% of its width: its drawing is smaller.
DRAWING = re.compile(r"<path ")
SMALLER = '<path transform="translate(3.2 3.2) scale(.8)" '


def main() -> None:
    rounded = (STATIC / "icon.svg").read_text()
    maskable = DRAWING.sub(SMALLER, ROUND_CORNERS.sub("", rounded))
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        for name, drawing, width in (
            ("192", rounded, 192), ("512", rounded, 512), ("maskable", maskable, 512),
        ):  # fmt: skip
            page.set_viewport_size({"width": width, "height": width})
            page.set_content(f"<style>body {{ margin: 0; line-height: 0 }}</style>{drawing}")
            page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
