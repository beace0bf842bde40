"""Projects in the list of chats: by pointer and by keys, in two tabs, and as they look."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import APIResponse, Locator, Route, expect

from tests.e2e.page.axe import find_serious
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.rows import choose, group_of, row
from tests.e2e.site import Site
from tests.waiting import PATIENCE_S, wait_for

BEFORE = "Still water & 100%"
LONG = "All that has to do with the boat, the harbour and the sea 60"


@pytest.fixture
def site(scripted_site: Site) -> Iterator[Site]:
    """Other tests find no project there."""
    yield scripted_site
    for name in list_names(scripted_site):
        address = f"{scripted_site.url}/api/v1/projects/{quote(name, safe='')}?chats=share"
        httpx.delete(address, timeout=PATIENCE_S).raise_for_status()


def project(chat: ChatPage, name: str) -> Locator:
    """Its section. Its rows are in the document while it is open."""
    return chat.page.locator(".project").filter(has=chat.page.get_by_text(name, exact=True))


def head(chat: ChatPage, name: str) -> Locator:
    return project(chat, name).get_by_role("heading").get_by_role("button")


def list_names(site: Site) -> list[str]:
    return [item["name"] for item in site.get("/api/v1/projects")["projects"]]


def begin(site: Site, message: str, name: str | None = None) -> str:
    body = {"message": message} | ({"project": name} if name else {})
    if name and name not in list_names(site):
        site.post("/api/v1/projects", {"name": name})
    conversation_id: str = site.post("/chat", body)["conversation_id"]
    return conversation_id


def test_chats_are_moved_into_projects_pinned_deleted_and_moved_out(
    open_page: OpenPage, site: Site
) -> None:
    first, second = begin(site, "A tern."), begin(site, "A gull.")
    chat, other = open_page(site.url), open_page(site.url, path=NOTHING)
    other.follow()
    expect(chat.page.locator(".project")).to_have_count(0)
    row(chat, first).focus()
    for key in ("Tab", "Enter"):
        chat.page.keyboard.press(key)
    expect(chat.page.get_by_role("menuitem", name="Rename…")).to_be_focused()
    for key in ("m", "Enter"):
        chat.page.keyboard.press(key)
    dialog = chat.page.get_by_role("dialog", name="Move to a project")
    field = dialog.get_by_label("Name")
    expect(field).to_be_focused()
    chat.page.keyboard.type("Sea/birds")
    chat.page.keyboard.press("Enter")
    expect(dialog).to_be_visible()  # a slash is refused
    field.fill("Sea birds")
    chat.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(head(chat, "Sea birds")).to_be_focused()  # the row is not shown any more
    expect(head(chat, "Sea birds")).to_have_attribute("aria-expanded", "false")
    expect(chat.page.get_by_role("heading", name="Projects", level=2)).to_be_visible()
    expect(row(chat, first)).to_have_count(0)
    expect(project(other, "Sea birds")).to_have_count(1)
    expect(row(other, first)).to_have_count(0)

    chat.page.keyboard.press("Enter")
    expect(head(chat, "Sea birds")).to_have_attribute("aria-expanded", "true")
    expect(head(chat, "Sea birds")).to_be_focused()
    expect(group_of(chat, first)).to_have_text("Sea birds11 conversation")
    choose(chat, second, "Move to project…")
    expect(dialog.get_by_label("No project")).to_be_checked()
    dialog.get_by_label("Sea birds").check()
    dialog.get_by_role("button", name="Move").click()
    expect(project(chat, "Sea birds").locator(".conversation")).to_have_text(["A gull.", "A tern."])
    expect(chat.page.locator(f"#more-{second}")).to_be_focused()
    chat.page.reload()  # that it is open is remembered
    expect(project(chat, "Sea birds").locator(".conversation")).to_have_text(["A gull.", "A tern."])
    expect(head(other, "Sea birds")).to_have_attribute("aria-expanded", "false")
    take_out(chat, second)
    assert site.get(f"/api/v1/conversations/{second}/messages")["project"] is None


def take_out(chat: ChatPage, second: str) -> None:
    """Of its two chats this one is pinned and deleted meanwhile, and comes back."""
    choose(chat, second, "Pin")
    expect(group_of(chat, second)).to_have_text("Pinned")
    expect(head(chat, "Sea birds")).to_contain_text("1 conversation")
    choose(chat, second, "Unpin")
    expect(group_of(chat, second)).to_contain_text("Sea birds")
    choose(chat, second, "Delete")
    chat.button("Undo").hover()  # its notice stays meanwhile
    expect(row(chat, second)).to_have_count(0)
    expect(head(chat, "Sea birds")).to_contain_text("1 conversation")
    chat.button("Undo").click()
    expect(project(chat, "Sea birds").locator(".conversation")).to_have_count(2)
    choose(chat, second, "Move to project…")
    dialog = chat.page.get_by_role("dialog", name="Move to a project")
    dialog.get_by_label("No project").check()
    dialog.get_by_role("button", name="Move").click()
    expect(group_of(chat, second)).to_have_text("Today")


def choose_of(chat: ChatPage, name: str, item: str) -> None:
    chat.button(f"More about {name}").click()
    chat.page.get_by_role("menuitem", name=item).click()


def test_a_chat_is_begun_in_a_project_which_is_renamed_and_outlives_it(
    open_page: OpenPage, site: Site
) -> None:
    conversation_id = begin(site, "A heron.", BEFORE)
    begin(site, "An oak.", "Trees")
    chat, other = open_page(site.url), open_page(site.url, path=NOTHING)
    other.follow()
    choose_of(chat, BEFORE, "New chat in this project")
    expect(chat.page.get_by_text(f"This chat begins in the project “{BEFORE}”.")).to_be_visible()
    chat.ask("A kingfisher.")
    new = chat.conversation_id
    expect(group_of(chat, new)).to_contain_text(BEFORE)
    expect(project(chat, BEFORE).locator(".conversation")).to_have_count(2)
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.page.get_by_text("This chat begins in the project")).to_be_hidden()
    expect(head(chat, BEFORE)).to_have_attribute("aria-expanded", "false")
    chat.page.keyboard.press("Control+k")
    chat.page.get_by_label("Search everything said").fill("kingfisher")
    chat.page.get_by_role("option", name="A kingfisher.").first.click()
    expect(row(chat, new)).to_have_attribute("aria-current", "page")  # its project is opened

    renamed = "Still <b>water & 100%"
    rename_project(chat, new, renamed)
    expect(project(other, renamed)).to_have_count(1)
    expect(project(other, BEFORE)).to_have_count(0)
    choose_of(chat, renamed, "New chat in this project")
    expect(chat.page.get_by_text(f"This chat begins in the project “{renamed}”.")).to_be_visible()

    choose_of(chat, renamed, "Delete project")
    expect(chat.question).to_contain_text("Its chats stay.")
    chat.question.get_by_role("button", name="Delete project").click()
    expect(project(chat, renamed)).to_have_count(0)
    expect(group_of(chat, conversation_id)).to_have_text("Today")
    expect(group_of(chat, new)).to_have_text("Today")
    expect(group_of(other, new)).to_have_text("Today")
    assert list_names(site) == ["Trees"]


def rename_project(chat: ChatPage, conversation_id: str, renamed: str) -> None:
    """The name of another project is refused before. The project's chat of this id is open."""
    expect(head(chat, BEFORE)).to_have_attribute("aria-expanded", "true")
    head(chat, BEFORE).click()
    expect(row(chat, conversation_id)).to_have_count(0)
    head(chat, BEFORE).click()
    choose_of(chat, BEFORE, "Project settings…")
    dialog = chat.page.get_by_role("dialog", name="Settings of this project")
    expect(dialog.get_by_label("Own memory")).to_be_disabled()  # a chat is in it
    dialog.get_by_label("Name").fill("trees")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("another one of this name")
    chat.expect_problem("409")
    dialog.get_by_label("Name").fill(renamed)
    dialog.get_by_role("button", name="Save").click()
    expect(head(chat, renamed)).to_have_attribute("aria-expanded", "true")
    expect(chat.button(f"More about {renamed}")).to_be_focused()
    expect(group_of(chat, conversation_id)).to_contain_text(renamed)
    expect(chat.page.locator("#chat-project")).to_have_text(renamed)


def test_a_project_is_read_once_and_a_late_answer_changes_nothing(
    open_page: OpenPage, site: Site
) -> None:
    conversation_id = begin(site, "A tern.", "Sea birds")
    chat = open_page(site.url, path=NOTHING)
    urls: list[str] = []
    chat.page.on("request", lambda request: urls.append(request.url))
    chat.follow(f"/c/{conversation_id}")
    expect(head(chat, "Sea birds")).to_have_attribute("aria-expanded", "true")  # its chat is open
    expect(row(chat, conversation_id)).to_have_attribute("aria-current", "page")
    chat.page.wait_for_load_state("networkidle")
    assert len([url for url in urls if "project=Sea" in url]) == 1

    routes: list[Route] = []
    held_pairs: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        routes.append(route)
        if len(routes) > 1:  # it may come while the first one is fetched
            route.continue_()
        else:
            held_pairs.append((route, route.fetch()))

    newest = "**/api/v1/conversations?project=&*"
    chat.route(newest, hold_the_first)
    with chat.page.expect_request(newest):
        begin(site, "A gull.")
    wait_for(lambda: chat.page.evaluate("true") and held_pairs)  # Playwright hears of it meanwhile
    with chat.page.expect_response(newest):
        new = begin(site, "A swan.")
    expect(row(chat, new)).to_be_visible()
    [(route, response)] = held_pairs
    with chat.page.expect_response(lambda answer: answer.request == route.request) as late:
        route.fulfill(response=response)
    late.value.finished()
    chat.page.evaluate("fetch('/healthz').then((answer) => answer.text())")  # it is read after that
    assert new not in response.text()
    expect(row(chat, new)).to_be_visible()


def test_a_chat_is_dragged_into_a_project_with_its_own_memory(
    open_page: OpenPage, site: Site
) -> None:
    """Before, the page says what that means; without a yes, the chat stays where it is."""
    conversation_id = begin(site, "A curlew.")
    chat = open_page(site.url, path=f"/c/{conversation_id}")
    chat.button("New project").click()
    dialog = chat.page.get_by_role("dialog", name="New project")
    dialog.get_by_label("Name").fill("Marsh")
    dialog.get_by_label("Instructions").fill("Answer as a ranger.")
    dialog.get_by_label("Own memory").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    stored = site.get("/api/v1/projects/Marsh")
    assert (stored["instructions"], stored["own_memory"]) == ("Answer as a ranger.", True)

    for answer in ("Cancel", "Move"):
        expect(group_of(chat, conversation_id)).to_have_text("Today")
        expect(chat.page.locator("#chat-project")).to_be_hidden()
        row(chat, conversation_id).drag_to(head(chat, "Marsh"))
        expect(chat.question).to_contain_text("goes into the memory of “Marsh”")
        chat.question.get_by_role("button", name=answer).click()
    expect(group_of(chat, conversation_id)).to_contain_text("Marsh")
    expect(chat.page.locator("#chat-project")).to_have_text("Marsh")
    assert site.get(f"/api/v1/conversations/{conversation_id}/messages")["project"] == "Marsh"
    choose(chat, conversation_id, "Move to project…")
    moving = chat.page.get_by_role("dialog", name="Move to a project")
    moving.get_by_label("No project").check()
    expect(moving).to_contain_text("leaves the memory of “Marsh”")


@pytest.mark.parametrize(
    ("scheme", "width", "language"), [("light", 360, "en"), ("dark", 1280, "ar")]
)
def test_projects_fit_come_in_pages_and_axe_finds_nothing(
    open_page: OpenPage, site: Site, scheme: Scheme, width: int, language: str
) -> None:
    past = {"role": "user", "content": "A swift.", "created_at": "2024-03-05T10:00:00+00:00"}
    numbers = range(32)
    conversations = [
        {"id": f"{language}-{number}", "project": LONG, "messages": [past]} for number in numbers
    ]
    site.post("/api/v1/imports", conversations)
    site.patch(f"/api/v1/conversations/{begin(site, 'A swallow.', 'Away')}", {"archived": True})
    chat = open_page(site.url, path=NOTHING, width=width, scheme=scheme)
    chat.page.context.add_cookies(
        [{"name": "throughline-language", "value": language, "url": site.url}]
    )
    chat.open("/")
    chat.page.emulate_media(reduced_motion="reduce")
    if width < 860:
        chat.button("Show conversations").click()
    for name in (LONG, "Away"):
        expect(head(chat, name)).to_have_attribute("aria-expanded", "false")
        head(chat, name).click()
    rows = project(chat, LONG).locator(".conversation")
    expect(rows).to_have_count(30)
    project(chat, LONG).locator(".more").click()
    expect(rows).to_have_count(32)
    expect(project(chat, LONG).locator(".more")).to_have_count(0)
    expect(project(chat, "Away").locator(".project-empty")).to_be_visible()
    assert chat.page.evaluate("document.querySelector('#list').scrollWidth <= innerWidth")
    findings = [find_serious(chat)]
    rows.first.hover()
    project(chat, LONG).locator(".row-more").nth(1).click()
    chat.page.get_by_role("menuitem").nth(2).click()
    expect(chat.page.locator("#move")).to_be_visible()
    assert chat.page.evaluate("document.querySelector('#move').scrollWidth <= innerWidth")
    findings.append(find_serious(chat))
    chat.page.keyboard.press("Escape")
    chat.page.locator("#new-project").click()
    expect(chat.page.locator("#project")).to_be_visible()
    assert chat.page.evaluate("document.querySelector('#project').scrollWidth <= innerWidth")
    findings.append(find_serious(chat))
    assert findings == [[], [], []]
