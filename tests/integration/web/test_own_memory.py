"""Projects with a memory of their own: what is said in one is known there, and nowhere else."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

from shared.db import execute
from shared.derivations.file_passages import cut_files
from shared.embeddings.model_properties import model_name
from tests.integration.web.attachments import add
from tests.integration.web.attachments import send as send_message
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.mcp.conftest import Memory
from tests.integration.web.transfers import send, whole_text_of
from tests.integration.worker import work_off
from tests.services import as_owner

OWN = ("Red", "Blue")
PLACES = (None, "Plain", *OWN)
TEMPLATES = (
    "My name is {}.", "I live in {}.", "My favourite colour is {}.", "My dog is called {}.",
    "I am allergic to {}.", "The boat lies in the harbour of {}.", "We met {} at the quay.",
)  # fmt: skip
QUESTION = "What is my name, where do I live, where does the boat lie, what is its mast made of?"
SMALL = {"episode_trigger_turns": 4, "memory_summarize_after_seq": 3}
# All texts are as near to any question as can be: only what hides them keeps them away.
EMBED = """
    INSERT INTO message_embeddings
        (user_id, conversation_id, sequence_number, embedding, embedding_model)
    SELECT user_id, conversation_id, sequence_number, array_fill(0.1::real, ARRAY[384])::halfvec,
           %(model)s
    FROM messages WHERE content <> ''
    ON CONFLICT (conversation_id, sequence_number) DO UPDATE
    SET embedding = excluded.embedding, embedding_model = excluded.embedding_model;
    UPDATE episodic_memory SET embedding_model = %(model)s WHERE status = 'completed';
    UPDATE file_passages
    SET embedding = array_fill(0.1::real, ARRAY[384])::halfvec, embedding_model = %(model)s
    WHERE NOT is_off_record
"""


def add_project(browser: Browser, name: str, **fields: object) -> None:
    answer = browser.client.post("/api/v1/projects", json={"name": name} | fields)
    assert answer.status_code == 201, answer.text


def begin(browser: Browser, message: str, **fields: object) -> str:
    answer = browser.chat(message, **fields)
    assert answer.status_code == 200, answer.text
    conversation_id: str = answer.get_json()["conversation_id"]
    return conversation_id


def learn(browser: Browser) -> None:
    services = browser.context.services
    cut_files(services)
    work_off(services)
    with as_owner(services) as connection:
        execute(connection, EMBED, model=model_name(services.settings))


class Town:
    """One user who says distinctive words in four places."""

    def __init__(self, browser: Browser, seed: int) -> None:
        self.browser = browser
        self._random = random.Random(seed)  # noqa: S311 - words, no secrets
        self._chats: dict[str | None, str] = {}
        #: By the memory that they were said in. None: the shared one.
        self.words: dict[str | None, set[str]] = {None: set(), "Red": set(), "Blue": set()}

    def _make_word(self, place: str | None) -> str:
        syllables = [
            self._random.choice("bdfgklmnprstvz") + self._random.choice("aeiou") for _ in range(5)
        ]
        word = ("".join(syllables) + "x").title()
        self.words[place if place in OWN else None].add(word)
        return word

    def say_all(self) -> None:
        for place in PLACES:
            word = self._make_word(place)
            file = add(self.browser, f"The mast of {word} is made of oak.", "mast.txt")
            fields = {"project": place} if place else {}
            send_message(self.browser, "Read this.", file, **fields)
        for template in TEMPLATES:
            for place in self._random.sample(PLACES, len(PLACES)):
                self._say(place, template)

    def _say(self, place: str | None, template: str) -> None:
        word = self._make_word(place)
        chat = self._chats.get(place)
        if chat is None or self._random.random() < 0.2:
            fields = {"project": place} if place else {}
            self._chats[place] = begin(self.browser, template.format(word), **fields)
        else:
            begin(self.browser, template.format(word), conversation_id=chat)

    def foreign(self, place: str | None) -> set[str]:
        """The words of all other memories."""
        memory = place if place in OWN else None
        return set[str]().union(*(words for name, words in self.words.items() if name != memory))

    def check(self, place: str | None, answer_json: object, what: str) -> None:
        text = json.dumps(answer_json, ensure_ascii=False).lower()
        leaked = {word for word in self.foreign(place) if word.lower() in text}
        assert not leaked, (what, place, leaked)

    def knows_own(self, place: str | None, answer_json: object) -> bool:
        text = json.dumps(answer_json, ensure_ascii=False).lower()
        return any(word.lower() in text for word in self.words[place if place in OWN else None])


def test_nothing_crosses_between_memories(make_browser: MakeBrowser) -> None:
    browser = make_browser(**SMALL)
    for name in OWN:
        add_project(browser, name, own_memory=True)
    add_project(browser, "Plain")
    town = Town(browser, seed=1)
    town.say_all()
    learn(browser)
    for place in PLACES:
        query = f"project={place}" if place else ""
        for path in ("facts?include=history", "facts/suggestions?limit=50", "episodes?limit=50"):
            answer_json = browser.get(f"/api/v1/{path}&{query}".rstrip("&"))
            town.check(place, answer_json, path)
            assert town.knows_own(place, answer_json) or "facts?" not in path
        _check_search(town, place, query)
        _check_mcp(town, place)
        _check_openai(town, place)
        _check_prompt(town, place)
    _check_export(town)


def _check_search(town: Town, place: str | None, query: str) -> None:
    for words in town.words.values():
        for word in sorted(words)[:3]:
            hits = town.browser.get(f"/api/v1/search?q={word}&limit=50&{query}".rstrip("&"))
            del hits["query"]
            town.check(place, hits, "search")
            is_own = word in town.words[place if place in OWN else None]
            assert bool(hits["messages"]) or not is_own
            misspelt = word[:-2] + word[-1] + word[-2]
            wrong = town.browser.get(f"/api/v1/search?q={misspelt}&{query}".rstrip("&"))
            town.check(place, wrong["corrected"], "spelling")
    related = town.browser.get(f"/api/v1/search?q=harbour+of+the+boat&limit=50&{query}".rstrip("&"))
    town.check(place, related, "search by meaning")
    assert town.knows_own(place, related)
    files = town.browser.get(f"/api/v1/search?q=mast+of+oak&limit=50&{query}".rstrip("&"))["files"]
    town.check(place, files, "files")
    assert town.knows_own(place, files)


def _check_mcp(town: Town, place: str | None) -> None:
    memory, project = Memory(town.browser), {"project": place} if place else {}
    for answer_json in (
        memory.call("list_facts", include_history=True, **project),
        memory.call("recall", question=QUESTION, max_tokens=8000, **project),
        memory.call("search", query="harbour of the boat", limit=50, **project),
    ):
        town.check(place, answer_json, "MCP")
        assert town.knows_own(place, answer_json)
    if place is None:
        resources = memory.use(lambda client: client.list_resources())
        town.check(None, [str(resource) for resource in resources.resources], "resources")


def _check_openai(town: Town, place: str | None) -> None:
    for use in ("on", "read"):
        metadata = {"memory": use} | ({"project": place} if place else {})
        body = {
            "model": town.browser.get("/v1/models")["data"][0]["id"],
            "messages": [{"role": "user", "content": QUESTION}],
            "metadata": metadata,
        }
        answer = town.browser.client.post("/v1/chat/completions", json=body)
        assert answer.status_code == 200, answer.text
        town.check(place, answer.get_json(), "OpenAI")
        if use == "on":
            answer_json = _trace(town.browser, answer.headers["X-Conversation-Id"], 1)
            town.check(place, answer_json, "OpenAI's prompt")
            assert town.knows_own(place, answer_json)


def _check_prompt(town: Town, place: str | None) -> None:
    conversation_id = begin(town.browser, QUESTION, **({"project": place} if place else {}))
    answer_json = _trace(town.browser, conversation_id, 1)
    town.check(place, answer_json, "prompt")
    assert all(answer_json[kind] for kind in ("facts", "messages", "passages"))
    assert town.knows_own(place, answer_json)


def _trace(browser: Browser, conversation_id: str, sequence: int) -> Mapping[str, Any]:
    address = f"/api/v1/conversations/{conversation_id}/messages/{sequence}/trace"
    trace: Mapping[str, Any] = browser.get(address)["trace"]
    return trace


def _check_export(town: Town) -> None:
    """All is there, each thing with its project; and so it comes back into an empty account."""
    text = whole_text_of(town.browser)
    exported = json.loads(text)
    for fact in exported["facts"]:
        assert fact["project"] in {None, *OWN}
        town.check(fact["project"], fact["value"], "export")
    for conversation in exported["conversations"]:
        town.check(conversation["project"], conversation, "export")
    browser = town.browser
    assert browser.client.delete("/api/v1/me", json={"confirm": "local"}).status_code == 200
    assert browser.get("/api/v1/projects")["projects"] == []
    add_project(browser, "Red")  # of another kind: what was kept inside comes into one of its own
    send(browser, text)
    town.check(None, browser.get("/api/v1/facts?include=history"), "import")
    town.check(None, browser.get("/api/v1/facts?project=Red&include=history"), "import")
    hits = browser.get("/api/v1/search?q=harbour+of+the+boat&limit=50")
    town.check(None, hits, "import")
    facts_json = browser.get("/api/v1/facts?project=Red 2&include=history")
    town.check("Red", facts_json, "import")
    assert town.knows_own("Red", facts_json)
