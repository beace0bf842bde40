"""Files of a project: added and removed in its settings, by keys."""

from __future__ import annotations

import httpx
from playwright.sync_api import FilePayload, expect

from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_projects import choose_of
from tests.e2e.site import Site
from tests.waiting import PATIENCE_S


def test_files_are_added_and_removed(open_page: OpenPage, scripted_site: Site) -> None:
    site = scripted_site
    site.post("/api/v1/projects", {"name": "Rivers"})
    chat = open_page(site.url)
    choose_of(chat, "Rivers", "Project settings…")
    dialog = chat.page.get_by_role("dialog", name="Settings of this project")
    add = dialog.get_by_role("button", name="Add files")
    with chat.page.expect_file_chooser() as chooser:
        add.press("Enter")
    chooser.value.set_files(
        [
            FilePayload(name=name, mimeType="text/plain", buffer=name.encode())
            for name in ("eel.txt", "trout.txt")
        ]
    )
    files = dialog.get_by_role("list", name="Files")
    expect(files.get_by_role("link")).to_have_text(["eel.txt", "trout.txt"])
    files.get_by_role("button", name="Remove eel.txt").press("Enter")
    expect(files.get_by_role("link")).to_have_text(["trout.txt"])
    expect(files.get_by_role("button", name="Remove trout.txt")).to_be_focused()
    stored = site.get("/api/v1/projects/Rivers/files")["files"]
    assert [file["name"] for file in stored] == ["trout.txt"]
    chat.page.keyboard.press("Enter")
    expect(add).to_be_focused()
    assert site.get("/api/v1/projects/Rivers/files")["files"] == []
    # Other tests find no project there.
    address = f"{site.url}/api/v1/projects/Rivers"
    httpx.delete(address, timeout=PATIENCE_S).raise_for_status()
