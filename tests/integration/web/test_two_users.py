"""Every endpoint, asked by Bob for what is Ada's: he reads nothing of hers and changes nothing.

An endpoint without a row here fails the test.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.two_users import (
    ADA,
    BOB,
    CHOSEN_BY_BOB,
    MARK,
    Row,
    ask,
    describe,
    fill,
    find_ids,
    find_unused,
    list_rules,
    owned,
    read_parts,
)

# What a name in an address stands for is Ada's: see `_ids`.
ROWS: dict[tuple[str, str], Row] = {
    ("GET", "/"): Row(status=200),
    ("GET", "/c/<conversation_id>"): Row(status=200),  # the page, without a word of it
    ("GET", "/c/<conversation:conversation_id>/print"): Row(status=404),
    ("GET", "/assets/<release>/<path:filename>"): Row(status=200),
    ("GET", "/diagrams/frame"): Row(status=200),
    ("GET", "/healthz"): Row(status=200),
    ("GET", "/manifest.webmanifest"): Row(status=200),
    ("GET", "/service-worker.js"): Row(status=200),
    ("GET", "/offline"): Row(status=200),
    ("GET", "/readyz"): Row(status=200),
    ("GET", "/metrics"): Row(status=200),
    ("GET", "/api/v1/status"): Row(status=200),
    ("GET", "/api/v1/personas"): Row(status=200),
    ("POST", "/api/v1/personas"): Row(status=400, body={}),
    ("PATCH", "/api/v1/personas/<bigint:persona_id>"): Row(status=404, body={"name": "Mine"}),
    ("DELETE", "/api/v1/personas/<bigint:persona_id>"): Row(status=404),
    ("GET", "/api/v1/prompts"): Row(status=200),
    ("POST", "/api/v1/prompts"): Row(status=400, body={}),
    ("PATCH", "/api/v1/prompts/<bigint:prompt_id>"): Row(status=404, body={"name": "Mine"}),
    ("DELETE", "/api/v1/prompts/<bigint:prompt_id>"): Row(status=404),
    ("GET", "/api/v1/projects"): Row(status=200),
    ("POST", "/api/v1/projects"): Row(status=400, body={}),
    ("GET", "/api/v1/projects/<string:project>"): Row(status=404),
    ("PATCH", "/api/v1/projects/<string:project>"): Row(status=404, body={"name": "Mine"}),
    ("DELETE", "/api/v1/projects/<string:project>"): Row(status=404),
    ("GET", "/api/v1/projects/<string:project>/files"): Row(status=404),
    ("POST", "/api/v1/projects/<string:project>/files"): Row(status=400, body={}),
    ("DELETE", "/api/v1/projects/<string:project>/files/<uuid:attachment_id>"): Row(status=404),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/move"): Row(status=404),
    ("GET", "/api/v1/models"): Row(status=200),
    ("GET", "/api/v1/operations/status"): Row(status=403),
    ("POST", "/api/v1/operations/doctor"): Row(status=403, body={}),
    ("GET", "/api/v1/operations/models"): Row(status=403),
    ("POST", "/api/v1/operations/models"): Row(status=403, body={}),
    ("PATCH", "/api/v1/operations/models/<bigint:model_id>"): Row(status=403, body={}),
    ("DELETE", "/api/v1/operations/models/<bigint:model_id>"): Row(status=403),
    ("GET", "/api/v1/operations/models/providers"): Row(status=403),
    ("POST", "/api/v1/operations/models/<bigint:model_id>/examination"): Row(status=403),
    ("POST", "/api/v1/operations/models/environment/examination"): Row(status=403),
    ("POST", "/api/v1/operations/models/test"): Row(status=403, body={}),
    ("POST", "/api/v1/operations/models/served"): Row(status=403, body={}),
    ("GET", "/api/v1/agents"): Row(status=200),
    ("GET", "/operations"): Row(status=403),
    ("GET", "/flower/"): Row(status=403),
    ("GET", "/flower/<path:path>"): Row(status=403),
    ("POST", "/flower/<path:path>"): Row(status=403),
    ("GET", "/api/v1/operations"): Row(status=403),
    ("GET", "/api/v1/operations/audit"): Row(status=403),
    ("GET", "/api/v1/me/quotas"): Row(status=200),
    ("GET", "/api/v1/me/memory-instructions"): Row(status=200),
    ("PUT", "/api/v1/me/memory-instructions"): Row(
        status=200, body={"text": "Note Bob's projects."}
    ),
    ("GET", "/api/v1/me/tidying"): Row(status=200),
    ("POST", "/api/v1/me/tidying"): Row(status=409, body={}),
    ("GET", "/api/v1/audit"): Row(status=200),
    ("GET", "/api/v1/operations/versions"): Row(status=403),
    ("GET", "/api/v1/operations/workers"): Row(status=403),
    ("POST", "/chat"): Row(status=404, body={"message": "Mine", "conversation_id": "<id>"}),
    ("POST", "/chat/<conversation:conversation_id>/<int:sequence>/edit"): Row(
        status=404, body={"message": "Mine"}
    ),
    ("POST", "/chat/<conversation:conversation_id>/<int:sequence>/retry"): Row(status=404, body={}),
    ("POST", "/chat/<conversation:conversation_id>/<int:sequence>/continue"): Row(
        status=404, body={}
    ),
    ("POST", "/chat/<conversation:conversation_id>/<int:sequence>/stop"): Row(status=404, body={}),
    ("GET", "/chat/<conversation:conversation_id>/<int:sequence>/stream"): Row(status=404),
    ("GET", "/api/v1/conversations"): Row(status=200),
    ("PATCH", "/api/v1/conversations/<conversation:conversation_id>"): Row(
        status=404, body={"title": "Mine"}
    ),
    ("DELETE", "/api/v1/conversations/<conversation:conversation_id>"): Row(status=404),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/jobs"): Row(status=404),
    ("POST", "/api/v1/conversations/<conversation:conversation_id>/jobs/<kind>/run"): Row(
        status=404
    ),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/summaries"): Row(status=404),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/messages"): Row(status=404),
    ("POST", "/chat/temporary"): Row(
        status=200, body={"messages": [{"role": "user", "content": "Who is Ada?"}]}
    ),
    ("POST", "/chat/<conversation:conversation_id>/<int:sequence>/branch"): Row(
        status=404, body={"message": "x"}
    ),
    ("PATCH", "/api/v1/conversations/<conversation:conversation_id>/messages/<int:sequence>"): Row(
        status=404, body={"rating": "up", "variant": 1}
    ),
    (
        "GET",
        "/api/v1/conversations/<conversation:conversation_id>/messages/<int:sequence>/variants",
    ): Row(status=404),
    (
        "GET",
        "/api/v1/conversations/<conversation:conversation_id>/messages/<int:sequence>/trace",
    ): Row(status=404),
    ("DELETE", "/api/v1/conversations/<conversation:conversation_id>/messages/<int:sequence>"): Row(
        status=404, query="round=true"
    ),
    (
        "DELETE",
        "/api/v1/conversations/<conversation:conversation_id>/messages/<int:sequence>/withholding",
    ): Row(status=404),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/usage"): Row(status=404),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/export"): Row(status=404),
    ("GET", "/api/v1/episodes"): Row(status=200, query="conversation_id=<id>"),
    ("DELETE", "/api/v1/episodes/<bigint:episode_id>"): Row(status=404),
    ("GET", "/api/v1/events"): Row(status=200, query="wait=false&last_event_id=0"),
    ("GET", "/api/v1/webhooks"): Row(status=200),
    ("POST", "/api/v1/webhooks"): Row(status=201, body={"url": "https://hooks.example.org/"}),
    ("PATCH", "/api/v1/webhooks/<bigint:webhook_id>"): Row(status=404, body={"with_text": True}),
    ("DELETE", "/api/v1/webhooks/<bigint:webhook_id>"): Row(status=404),
    ("POST", "/api/v1/webhooks/<bigint:webhook_id>/rotate"): Row(status=404, body={}),
    ("POST", "/api/v1/webhooks/<bigint:webhook_id>/test"): Row(status=404, body={}),
    ("GET", "/api/v1/webhooks/deliveries"): Row(status=200),
    ("POST", "/api/v1/webhooks/deliveries/<bigint:delivery_id>/redeliver"): Row(
        status=404, body={}
    ),
    ("GET", "/api/v1/export"): Row(status=200),
    ("GET", "/api/v1/facts"): Row(status=200, query="include=history"),
    ("POST", "/api/v1/facts"): Row(
        status=201, body={"category": "identity", "key": "name", "value": "Bob"}
    ),
    ("POST", "/api/v1/facts/sentences"): Row(status=201, body={"text": "I live in Bergen"}),
    ("POST", "/api/v1/facts/lists/preview"): Row(status=200, body={"text": "- I live in Bergen"}),
    ("POST", "/api/v1/facts/lists"): Row(
        status=200,
        body={"facts": [{"category": "identity", "key": "name", "value": "Bob"}]},
    ),
    ("PATCH", "/api/v1/facts/<bigint:fact_id>"): Row(status=404, body={"value": "Mine"}),
    ("DELETE", "/api/v1/facts/<bigint:fact_id>"): Row(status=404),
    ("POST", "/api/v1/facts/<bigint:fact_id>/undo"): Row(status=404, body={}),
    ("GET", "/api/v1/facts/<bigint:fact_id>/versions"): Row(status=404),
    ("GET", "/api/v1/conversations/<conversation:conversation_id>/lessons"): Row(status=404),
    ("GET", "/api/v1/facts/suggestions"): Row(status=200),
    ("POST", "/api/v1/facts/suggestions/<bigint:suggestion_id>/confirm"): Row(status=404, body={}),
    ("POST", "/api/v1/facts/suggestions/confirm"): Row(status=200, body={"suggestion_ids": [1]}),
    ("DELETE", "/api/v1/facts/suggestions/<bigint:suggestion_id>"): Row(status=404),
    ("POST", "/api/v1/imports"): Row(status=200, body=[]),
    ("POST", "/api/v1/attachments"): Row(status=400, query="name=x", body={}),
    ("GET", "/api/v1/attachments"): Row(status=200),
    ("GET", "/api/v1/attachments/<uuid:attachment_id>"): Row(status=404),
    ("DELETE", "/api/v1/attachments/<uuid:attachment_id>"): Row(status=404),
    ("GET", "/api/v1/imports"): Row(status=200),
    ("GET", "/api/v1/imports/<uuid:import_id>"): Row(status=404),
    ("GET", "/api/v1/tokens"): Row(status=200),
    ("POST", "/api/v1/tokens"): Row(status=201, body={"name": "Bob's", "scopes": ["chat"]}),
    ("DELETE", "/api/v1/tokens/<bigint:token_id>"): Row(status=404),
    ("GET", "/s/<token>"): Row(status=404),
    ("GET", "/api/v1/shares"): Row(status=200),
    ("POST", "/api/v1/conversations/<conversation:conversation_id>/shares"): Row(
        status=404, body={}
    ),
    ("DELETE", "/api/v1/shares/<bigint:share_id>"): Row(status=404),
    ("GET", "/api/v1/search"): Row(status=200, query=f"q={MARK}"),
    ("GET", "/v1/models"): Row(status=200),
    ("GET", "/v1/models/<path:name>"): Row(status=200),
    ("POST", "/v1/embeddings"): Row(
        status=404, body={"model": "text-embedding-3-small", "input": "Mine"}
    ),
    ("POST", "/v1/responses"): Row(
        status=404,
        body={
            "model": "offline/extractive",
            "input": "Mine",
            "metadata": {"conversation_id": "<id>"},
        },
    ),
    ("GET", "/v1/responses/<response_id>"): Row(status=404),
    ("GET", "/v1/responses/<response_id>/input_items"): Row(status=404),
    ("DELETE", "/v1/responses/<response_id>"): Row(status=404),
    ("POST", "/v1/completions"): Row(
        status=404,
        body={
            "model": "offline/extractive",
            "prompt": "Mine",
            "metadata": {"conversation_id": "<id>"},
        },
    ),
    ("POST", "/v1/chat/completions"): Row(
        status=404,
        body={
            "model": "offline/extractive",
            "messages": [{"role": "user", "content": "Mine"}],
            "metadata": {"conversation_id": "<id>"},
        },
    ),
    ("POST", "/mcp"): Row(
        status=200,
        body={
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"query": MARK}},
        },
    ),
    ("DELETE", "/api/v1/me"): Row(status=200, body={"confirm": "bob"}),
}

# The same views, and the same answers, under their other address.
ROWS |= {
    (method, f"/api/v1{rule}"): row
    for (method, rule), row in ROWS.items()
    if rule.startswith("/chat")
}
ROWS["POST", "/api/v1/attachments"] = Row(status=415, query="name=x", body={})
ROWS["POST", "/api/v1/facts/sentences"] = Row(status=201, body={"text": "I live in Turku"})
ROWS["POST", "/api/v1/facts"] = Row(
    status=201, body={"category": "identity", "key": "name", "value": "Bobby"}
)
OPEN = ("docs", "openapi.json", "problems")
ROWS |= {("GET", f"/api/v1/{name}"): Row(status=200) for name in OPEN}
# The last one: Bob deletes himself.
ROWS |= {key: ROWS.pop(key) for key in list(ROWS) if key[1].endswith("/me")}


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    """Ada has a bit of everything."""
    fill(site := make_browser(**PROXY, memory_window_limit=2, sharing=True))
    return site


def test_every_endpoint_has_a_row(site: Browser) -> None:
    assert list_rules(site) == set(ROWS)


def test_bob_gets_nothing_of_adas_from_any_endpoint(site: Browser) -> None:
    ids, before = find_ids(site), owned(site)
    assert None not in before.values()
    for (method, rule), row in ROWS.items():
        answer = ask(site, (method, rule), row, ids, BOB)
        assert answer.status_code == row.status, f"{method} {rule}: {answer.text[:300]}"
        text = answer.text.replace(f'"query":"{MARK}"', "")  # Bob's own word, told back
        text = text.replace(f"/projects/{MARK}", "")
        assert MARK.lower() not in text.lower(), f"{method} {rule}"
        assert owned(site) == before, f"{method} {rule} has changed what is Ada's"


def test_bob_cannot_tell_what_is_adas_from_what_is_nobodys(site: Browser) -> None:
    ids = find_ids(site)
    nobodys = {name: find_unused(name, value) for name, value in ids.items()}
    differing = []
    for (method, rule), row in ROWS.items():
        if rule in CHOSEN_BY_BOB or not (set(read_parts(rule)) & ids.keys() or "<id>" in repr(row)):
            continue
        answers = [
            describe(ask(site, (method, rule), row, its_ids, BOB), its_ids)
            for its_ids in (ids, nobodys)
        ]
        differing += [f"{method} {rule}: {answers}"] if answers[0] != answers[1] else []
    assert differing == []


def test_ada_gets_her_own_from_the_same_addresses(site: Browser) -> None:
    """Else Bob's 404s would prove nothing."""
    ids = find_ids(site)
    refused = []
    for (method, rule), row in ROWS.items():
        if method == "GET" and row.status == 404 and rule != "/s/<token>":  # nobody has the token
            answer = ask(site, (method, rule), row, ids, ADA)
            refused += [] if answer.status_code == 200 else [f"{rule}: {answer.status_code}"]
    assert refused == []
