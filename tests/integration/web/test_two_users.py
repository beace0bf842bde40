"""Every endpoint, asked by Bob for what is Ada's: he reads nothing of hers and changes nothing.

An endpoint without a row here fails the test.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.db import fetch_rows
from shared.models import Candidate, ConversationId, UserId
from shared.store.facts.suggestions import suggest
from tests.embedding import embed_pending
from tests.integration.web.conftest import Browser
from tests.integration.web.test_identity import PROXY
from tests.integration.worker import WORK, list_jobs
from tests.services import as_owner
from tests.waiting import wait_for

MARK = "Xylophagous"  # stands in all that Ada says and has
ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
OWNED = """
    SELECT 'conversations' AS name, md5(string_agg(t::text, '|' ORDER BY t::text)) AS sum
    FROM conversations t WHERE user_id = 'ada'
    UNION ALL SELECT 'messages', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM messages t JOIN conversations c USING (conversation_id) WHERE c.user_id = 'ada'
    UNION ALL SELECT 'variants', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM reply_variants t WHERE user_id = 'ada'
    UNION ALL SELECT 'attachments', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM attachments t WHERE user_id = 'ada'
    UNION ALL SELECT 'memory', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM memory t JOIN conversations c USING (conversation_id) WHERE c.user_id = 'ada'
    UNION ALL SELECT 'episodes', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM episodic_memory t WHERE user_id = 'ada'
    UNION ALL SELECT 'facts', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM structured_facts t WHERE user_id = 'ada'
    UNION ALL SELECT 'suggestions', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM fact_suggestions t WHERE user_id = 'ada'
    UNION ALL SELECT 'imports', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM imports t WHERE user_id = 'ada'
    UNION ALL SELECT 'webhooks', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM webhooks t WHERE user_id = 'ada'
    UNION ALL SELECT 'deliveries', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM webhook_deliveries t WHERE user_id = 'ada'
    UNION ALL SELECT 'events', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM events t WHERE user_id = 'ada'
    UNION ALL SELECT 'client_turns', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM client_turns t WHERE user_id = 'ada'
    UNION ALL SELECT 'responses', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM responses t WHERE user_id = 'ada'
    UNION ALL SELECT 'jobs', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM fact_extractions t WHERE user_id = 'ada'
    UNION ALL SELECT 'personas', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM personas t WHERE user_id = 'ada'
    UNION ALL SELECT 'prompts', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM prompts t WHERE user_id = 'ada'
    UNION ALL SELECT 'tokens', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM api_tokens t WHERE user_id = 'ada'
    UNION ALL SELECT 'shares', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM shares t WHERE user_id = 'ada'
    UNION ALL SELECT 'audit', md5(string_agg(t::text, '|' ORDER BY t::text))
    FROM audit_events t WHERE user_id = 'ada'
    ORDER BY name
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """`status` is what Bob gets; `body` is sent as JSON. `<id>` is Ada's conversation."""

    status: int
    query: str = ""
    body: object = None


# What a name in an address stands for is Ada's: see `_ids`.
ROWS: dict[tuple[str, str], Row] = {
    ("GET", "/"): Row(status=200),
    ("GET", "/c/<conversation_id>"): Row(status=200),  # the page, without a word of it
    ("GET", "/c/<conversation:conversation_id>/print"): Row(status=404),
    ("GET", "/static/<path:filename>"): Row(status=200),
    ("GET", "/assets/<release>/<path:filename>"): Row(status=200),
    ("GET", "/diagrams/frame"): Row(status=200),
    ("GET", "/healthz"): Row(status=200),
    ("GET", "/manifest.webmanifest"): Row(status=200),
    ("GET", "/service-worker.js"): Row(status=200),
    ("GET", "/offline"): Row(status=200),
    ("GET", "/readyz"): Row(status=200),
    ("GET", "/metrics"): Row(status=200),
    ("GET", "/api/status"): Row(status=200),
    ("GET", "/api/personas"): Row(status=200),
    ("POST", "/api/personas"): Row(status=400, body={}),
    ("PATCH", "/api/personas/<bigint:persona_id>"): Row(status=404, body={"name": "Mine"}),
    ("DELETE", "/api/personas/<bigint:persona_id>"): Row(status=404),
    ("GET", "/api/prompts"): Row(status=200),
    ("POST", "/api/prompts"): Row(status=400, body={}),
    ("PATCH", "/api/prompts/<bigint:prompt_id>"): Row(status=404, body={"name": "Mine"}),
    ("DELETE", "/api/prompts/<bigint:prompt_id>"): Row(status=404),
    ("GET", "/api/folders"): Row(status=200),
    ("PATCH", "/api/folders/<string:folder>"): Row(status=404, body={"name": "Mine"}),
    ("DELETE", "/api/folders/<string:folder>"): Row(status=404),
    ("GET", "/api/models"): Row(status=200),
    ("GET", "/api/operations/models"): Row(status=403),
    ("POST", "/api/operations/models"): Row(status=403, body={}),
    ("PATCH", "/api/operations/models/<bigint:model_id>"): Row(status=403, body={}),
    ("DELETE", "/api/operations/models/<bigint:model_id>"): Row(status=403),
    ("POST", "/api/operations/models/test"): Row(status=403, body={}),
    ("POST", "/api/operations/models/served"): Row(status=403, body={}),
    ("GET", "/api/agents"): Row(status=200),
    ("GET", "/operations"): Row(status=403),
    ("GET", "/flower/"): Row(status=403),
    ("GET", "/flower/<path:path>"): Row(status=403),
    ("POST", "/flower/<path:path>"): Row(status=403),
    ("GET", "/operations.json"): Row(status=403),
    ("GET", "/operations/audit.json"): Row(status=403),
    ("GET", "/api/me/quotas"): Row(status=200),
    ("GET", "/api/audit"): Row(status=200),
    ("GET", "/operations/versions.json"): Row(status=403),
    ("GET", "/operations/workers.json"): Row(status=403),
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
    ("GET", "/api/conversations"): Row(status=200),
    ("PATCH", "/api/conversations/<conversation:conversation_id>"): Row(
        status=404, body={"title": "Mine"}
    ),
    ("DELETE", "/api/conversations/<conversation:conversation_id>"): Row(status=404),
    ("GET", "/api/conversations/<conversation:conversation_id>/jobs"): Row(status=404),
    ("POST", "/api/conversations/<conversation:conversation_id>/jobs/<kind>/run"): Row(status=404),
    ("GET", "/api/conversations/<conversation:conversation_id>/memory"): Row(status=404),
    ("GET", "/api/conversations/<conversation:conversation_id>/messages"): Row(status=404),
    ("POST", "/chat/temporary"): Row(
        status=200, body={"messages": [{"role": "user", "content": "Who is Ada?"}]}
    ),
    ("POST", "/chat/<conversation:conversation_id>/<int:sequence>/branch"): Row(
        status=404, body={"message": "x"}
    ),
    ("PATCH", "/api/conversations/<conversation:conversation_id>/messages/<int:sequence>"): Row(
        status=404, body={"rating": "up", "variant": 1}
    ),
    (
        "GET",
        "/api/conversations/<conversation:conversation_id>/messages/<int:sequence>/variants",
    ): Row(status=404),
    ("GET", "/api/conversations/<conversation:conversation_id>/messages/<int:sequence>/trace"): Row(
        status=404
    ),
    ("DELETE", "/api/conversations/<conversation:conversation_id>/messages/<int:sequence>"): Row(
        status=404, query="round=true"
    ),
    ("GET", "/api/conversations/<conversation:conversation_id>/usage"): Row(status=404),
    ("GET", "/api/conversations/<conversation:conversation_id>/export"): Row(status=404),
    ("GET", "/api/episodes"): Row(status=200, query="conversation_id=<id>"),
    ("DELETE", "/api/episodes/<bigint:episode_id>"): Row(status=404),
    ("GET", "/api/events"): Row(status=200, query="wait=false&last_event_id=0"),
    ("GET", "/api/webhooks"): Row(status=200),
    ("POST", "/api/webhooks"): Row(status=201, body={"url": "https://hooks.example.org/"}),
    ("PATCH", "/api/webhooks/<bigint:webhook_id>"): Row(status=404, body={"with_text": True}),
    ("DELETE", "/api/webhooks/<bigint:webhook_id>"): Row(status=404),
    ("POST", "/api/webhooks/<bigint:webhook_id>/rotate"): Row(status=404, body={}),
    ("POST", "/api/webhooks/<bigint:webhook_id>/test"): Row(status=404, body={}),
    ("GET", "/api/webhooks/deliveries"): Row(status=200),
    ("POST", "/api/webhooks/deliveries/<bigint:delivery_id>/redeliver"): Row(status=404, body={}),
    ("GET", "/api/export"): Row(status=200),
    ("GET", "/api/facts"): Row(status=200, query="include=history"),
    ("POST", "/api/facts"): Row(
        status=201, body={"category": "identity", "key": "name", "value": "Bob"}
    ),
    ("POST", "/api/facts/sentences"): Row(status=201, body={"text": "I live in Bergen"}),
    ("PATCH", "/api/facts/<bigint:fact_id>"): Row(status=404, body={"value": "Mine"}),
    ("DELETE", "/api/facts/<bigint:fact_id>"): Row(status=404),
    ("POST", "/api/facts/<bigint:fact_id>/undo"): Row(status=404, body={}),
    ("GET", "/api/facts/<bigint:fact_id>/versions"): Row(status=404),
    ("GET", "/api/conversations/<conversation:conversation_id>/lessons"): Row(status=404),
    ("GET", "/api/facts/suggestions"): Row(status=200),
    ("POST", "/api/facts/suggestions/<bigint:suggestion_id>/confirm"): Row(status=404, body={}),
    ("DELETE", "/api/facts/suggestions/<bigint:suggestion_id>"): Row(status=404),
    ("POST", "/api/import"): Row(status=200, body=[]),
    ("POST", "/api/attachments"): Row(status=400, query="name=x", body={}),
    ("GET", "/api/attachments/<uuid:attachment_id>"): Row(status=404),
    ("DELETE", "/api/attachments/<uuid:attachment_id>"): Row(status=404),
    ("GET", "/api/imports"): Row(status=200),
    ("GET", "/api/imports/<uuid:import_id>"): Row(status=404),
    ("GET", "/api/tokens"): Row(status=200),
    ("POST", "/api/tokens"): Row(status=201, body={"name": "Bob's", "scopes": ["chat"]}),
    ("DELETE", "/api/tokens/<bigint:token_id>"): Row(status=404),
    ("GET", "/s/<token>"): Row(status=404),
    ("GET", "/api/shares"): Row(status=200),
    ("POST", "/api/conversations/<conversation:conversation_id>/shares"): Row(status=404, body={}),
    ("DELETE", "/api/shares/<bigint:share_id>"): Row(status=404),
    ("GET", "/api/search"): Row(status=200, query=f"q={MARK}"),
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
    ("DELETE", "/v1/responses/<response_id>"): Row(status=404),
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
    ("DELETE", "/api/me"): Row(status=200, body={"confirm": "bob"}),
}

# Newer names of the same views.
ROWS |= {
    (method, rule.replace("/operations/", "/api/operations/").removesuffix(".json")): row
    for (method, rule), row in ROWS.items()
    if rule.startswith("/operations/")
}
ROWS["GET", "/api/operations"] = ROWS["GET", "/operations.json"]
ROWS["POST", "/api/imports"] = ROWS["POST", "/api/import"]
CONVERSATION = "/api/conversations/<conversation:conversation_id>"
ROWS["GET", f"{CONVERSATION}/summaries"] = ROWS["GET", f"{CONVERSATION}/memory"]
OPEN_OF_V1 = ("/api/v1/docs", "/api/v1/openapi.json", "/api/v1/problems")
# The same views, and the same answers, under their other address.
ROWS |= {
    (method, f"/api/v1{rule.removeprefix('/api')}"): row
    for (method, rule), row in ROWS.items()
    if rule.startswith(("/api/", "/chat"))
}
ROWS["POST", "/api/v1/attachments"] = Row(status=415, query="name=x", body={})
ROWS["POST", "/api/v1/facts/sentences"] = Row(status=201, body={"text": "I live in Turku"})
ROWS["POST", "/api/v1/facts"] = Row(
    status=201, body={"category": "identity", "key": "name", "value": "Bobby"}
)
ROWS |= {("GET", rule): Row(status=200) for rule in OPEN_OF_V1}
# The last one: Bob deletes himself.
ROWS |= {key: ROWS.pop(key) for key in list(ROWS) if key[1].endswith("/me")}


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    """Ada has a bit of everything."""
    site = make_browser(**PROXY, memory_window_limit=2, sharing=True)
    fill(site)
    return site


def test_every_endpoint_has_a_row(site: Browser) -> None:
    assert list_rules(site) == set(ROWS)


def test_bob_gets_nothing_of_adas_from_any_endpoint(site: Browser) -> None:
    ids, before = find_ids(site), owned(site)
    assert None not in before.values()
    for (method, rule), row in ROWS.items():
        answer = ask(site, (method, rule), row, ids, BOB)
        assert answer.status_code == row.status, f"{method} {rule}: {answer.text[:300]}"
        told = answer.text.replace(f'"query":"{MARK}"', "")  # Bob's own word, told back
        told = told.replace(f"/folders/{MARK}", "")
        assert MARK.lower() not in told.lower(), f"{method} {rule}"
        assert owned(site) == before, f"{method} {rule} has changed what is Ada's"


def test_ada_gets_her_own_from_the_same_addresses(site: Browser) -> None:
    """Else Bob's 404s would prove nothing."""
    ids = find_ids(site)
    refused = []
    for (method, rule), row in ROWS.items():
        if method == "GET" and row.status == 404 and rule != "/s/<token>":  # nobody has the token
            answer = ask(site, (method, rule), row, ids, ADA)
            refused += [] if answer.status_code == 200 else [f"{rule}: {answer.status_code}"]
    assert refused == []


def ask(
    site: Browser, address: tuple[str, str], row: Row, ids: dict[str, str], who: dict[str, str]
) -> Any:
    method, rule = address
    path = "/".join(ids.get(part.strip("<>").split(":")[-1], part) for part in rule.split("/"))
    query = row.query.replace("<id>", ids["conversation_id"])
    body = json.dumps(row.body).replace("<id>", ids["conversation_id"])
    kind = "application/json" if row.body is not None else None
    return site.client.open(
        f"{path}?{query}",
        method=method,
        headers=who,
        data=body if kind else None,
        content_type=kind,
        buffered=True,
    )


def fill(site: Browser) -> None:
    services = site.context.services
    said: dict[str, Any] = {}
    for number in range(4):
        body = {"message": f"My name is {MARK} and I live in {MARK}ville {number}."} | (
            {"conversation_id": said["conversation_id"]} if said else {}
        )
        said = site.client.post("/chat", json=body, headers=ADA).get_json()
    file = site.client.post(
        f"/api/attachments?name={MARK}",
        data=MARK,
        headers=ADA,
        content_type="application/octet-stream",
    ).get_json()
    attached = {"message": MARK, "attachments": [file["attachment_id"]]}
    assert site.client.post("/chat", json=attached, headers=ADA).status_code == 200
    moved = f"/api/conversations/{said['conversation_id']}"
    assert site.client.patch(moved, json={"folder": MARK}, headers=ADA).status_code == 200
    again = f"/chat/{said['conversation_id']}/7/retry"
    assert site.client.post(again, json={}, headers=ADA).status_code == 200
    hook = {"url": f"https://{MARK.lower()}.example/", "with_text": True}
    webhook = site.client.post("/api/webhooks", json=hook, headers=ADA).get_json()
    tried = f"/api/webhooks/{webhook['webhook_id']}/test"
    assert site.client.post(tried, json={}, headers=ADA).status_code == 202
    own = {"name": MARK, "instructions": f"You are {MARK}."}
    assert site.client.post("/api/personas", json=own, headers=ADA).status_code == 201
    kept = {"name": MARK, "text": f"Say {MARK}."}
    assert site.client.post("/api/prompts", json=kept, headers=ADA).status_code == 201
    past = [{"title": MARK, "messages": [{"role": "user", "content": MARK}]}]
    assert site.client.post("/api/import", json=past, headers=ADA).status_code == 200
    token = {"name": MARK, "scopes": ["chat"]}
    assert site.client.post("/api/tokens", json=token, headers=ADA).status_code == 201
    shared = f"/api/conversations/{said['conversation_id']}/shares"
    assert site.client.post(shared, json={}, headers=ADA).status_code == 201
    asked = {"model": "offline/extractive", "input": f"My cat is {MARK}."}
    assert site.client.post("/v1/responses", json=asked, headers=ADA).status_code == 200
    wait_for(lambda: not site.context.runner._live)
    while due := list_jobs(services, "processing"):
        for job in due:
            WORK[job.kind](services, job.job_id)
    embed_pending(services)
    with as_owner(services) as connection:
        suggest(connection, UserId("ada"), doubtful(said["conversation_id"]))


def doubtful(conversation_id: str) -> Candidate:
    """What Ada may have said of herself."""
    return Candidate(
        category="identity",
        key="boat",
        value=MARK,
        confidence=0.5,
        importance=0.8,
        retracts=False,
        said_at=datetime.now(UTC),
        turn=1,
        source_conversation_id=ConversationId(conversation_id),
        source_sequence=0,
    )


def find_ids(site: Browser) -> dict[str, str]:
    with as_owner(site.context.services) as connection:
        [row] = fetch_rows(
            connection,
            """
            SELECT (SELECT conversation_id::text FROM conversations WHERE user_id = 'ada'
                    ORDER BY last_sequence DESC LIMIT 1) AS conversation_id,
                   (SELECT max(id)::text FROM structured_facts WHERE user_id = 'ada') AS fact_id,
                   (SELECT max(id)::text FROM episodic_memory WHERE user_id = 'ada') AS episode_id,
                   (SELECT max(id)::text FROM fact_suggestions WHERE user_id = 'ada')
                       AS suggestion_id,
                   (SELECT max(token_id)::text FROM api_tokens WHERE user_id = 'ada') AS token_id,
                   (SELECT max(share_id)::text FROM shares WHERE user_id = 'ada') AS share_id,
                   (SELECT max(webhook_id)::text FROM webhooks WHERE user_id = 'ada')
                       AS webhook_id,
                   (SELECT max(persona_id)::text FROM personas WHERE user_id = 'ada')
                       AS persona_id,
                   (SELECT max(prompt_id)::text FROM prompts WHERE user_id = 'ada') AS prompt_id,
                   (SELECT max(delivery_id)::text FROM webhook_deliveries WHERE user_id = 'ada')
                       AS delivery_id,
                   (SELECT max(response_id) FROM responses WHERE user_id = 'ada') AS response_id,
                   (SELECT max(attachment_id::text) FROM attachments WHERE user_id = 'ada')
                       AS attachment_id,
                   (SELECT max(import_id::text) FROM imports WHERE user_id = 'ada') AS import_id
            """,
        )
    assert None not in row.values(), row
    return dict(row) | {
        "sequence": "1",
        "kind": "facts",
        "filename": "icon.svg",
        "release": "none",
        "model_id": "1",
        "name": "offline/extractive",
        "folder": MARK,
    }


def owned(site: Browser) -> dict[str, str]:
    with as_owner(site.context.services) as connection:
        return {row["name"]: row["sum"] for row in fetch_rows(connection, OWNED)}


def list_rules(site: Browser) -> set[tuple[str, str]]:
    return {
        (method, rule.rule)
        for rule in site.client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}
    }
