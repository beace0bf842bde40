"""What Ada has on a site, and whether it is as it was."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from shared.db import fetch_rows
from shared.derivations.kinds import do_job
from shared.models import Candidate, ConversationId, UserId
from shared.store.facts.suggestions import suggest
from tests.embedding import embed_pending
from tests.integration.web.conftest import Browser
from tests.integration.worker import list_jobs
from tests.services import as_owner
from tests.waiting import wait_for

MARK = "Xylophagous"  # stands in all that Ada says and has

ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))

#: What Bob may look up, or may name as he likes.
CHOSEN_BY_BOB = {
    "/v1/models/<path:name>",
    "/assets/<release>/<path:filename>",
    "/c/<conversation_id>",
}

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


def fill(site: Browser) -> None:
    services = site.context.services
    result: dict[str, Any] = {}
    for number in range(4):
        body = {"message": f"My name is {MARK} and I live in {MARK}ville {number}."} | (
            {"conversation_id": result["conversation_id"]} if result else {}
        )
        result = site.client.post("/chat", json=body, headers=ADA).get_json()
    file = site.client.post(
        f"/api/v1/attachments?name={MARK}",
        data=MARK,
        headers=ADA,
        content_type="application/octet-stream",
    ).get_json()
    waiting = site.client.post(
        f"/api/v1/attachments?name={MARK}",
        data=MARK,
        headers=ADA,
        content_type="application/octet-stream",
    )
    assert waiting.status_code == 201
    attached = {"message": MARK, "attachments": [file["attachment_id"]]}
    assert site.client.post("/chat", json=attached, headers=ADA).status_code == 200
    moved = f"/api/v1/conversations/{result['conversation_id']}"
    project = {"name": MARK, "instructions": MARK, "own_memory": True}
    assert site.client.post("/api/v1/projects", json=project, headers=ADA).status_code == 201
    assert site.client.patch(moved, json={"project": MARK}, headers=ADA).status_code == 200
    again = f"/chat/{result['conversation_id']}/7/retry"
    assert site.client.post(again, json={}, headers=ADA).status_code == 200
    hook = {"url": f"https://{MARK.lower()}.example/", "with_text": True}
    webhook = site.client.post("/api/v1/webhooks", json=hook, headers=ADA).get_json()
    tried = f"/api/v1/webhooks/{webhook['webhook_id']}/test"
    assert site.client.post(tried, json={}, headers=ADA).status_code == 202
    persona = {"name": MARK, "instructions": f"You are {MARK}."}
    assert site.client.post("/api/v1/personas", json=persona, headers=ADA).status_code == 201
    prompt = {"name": MARK, "text": f"Say {MARK}."}
    assert site.client.post("/api/v1/prompts", json=prompt, headers=ADA).status_code == 201
    past = [{"title": MARK, "messages": [{"role": "user", "content": MARK}]}]
    assert site.client.post("/api/v1/imports", json=past, headers=ADA).status_code == 200
    token = {"name": MARK, "scopes": ["chat"]}
    assert site.client.post("/api/v1/tokens", json=token, headers=ADA).status_code == 201
    shared = f"/api/v1/conversations/{result['conversation_id']}/shares"
    assert site.client.post(shared, json={}, headers=ADA).status_code == 201
    request = {"model": "offline/extractive", "input": f"My cat is {MARK}."}
    assert site.client.post("/v1/responses", json=request, headers=ADA).status_code == 200
    wait_for(lambda: not site.context.runner._live)
    while due := list_jobs(services, "processing"):
        for job in due:
            do_job(services, job.kind, job.job_id)
    embed_pending(services)
    with as_owner(services) as connection:
        suggest(connection, UserId("ada"), doubtful(result["conversation_id"]))


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
        "project": MARK,
    }


def owned(site: Browser) -> dict[str, str]:
    with as_owner(site.context.services) as connection:
        return {row["name"]: row["sum"] for row in fetch_rows(connection, OWNED)}


@dataclass(frozen=True, kw_only=True)
class Row:
    """`status` is what Bob gets; `body` is sent as JSON. `<id>` is Ada's conversation."""

    status: int
    query: str = ""
    body: object = None


def read_parts(rule: str) -> list[str]:
    return re.findall(r"<(?:\w+:)?(\w+)>", rule)


def find_unused(name: str, value: str) -> str:
    """An id of the same form that nobody has."""
    if name in {"sequence", "kind", "release", "filename", "name"}:
        return value
    if value.isdecimal():
        return str(int(value) + 1_000_000)
    if name == "project":
        return f"{value[:-1]}z"
    return value[:-4] + ("0000" if value[-4:] != "0000" else "1111")


def describe(answer: Any, ids: dict[str, str]) -> tuple[int, str, list[tuple[str, str]]]:
    """The answer without what is new in each, and without the ids that Bob has sent."""
    text = answer.text.replace(answer.headers["X-Request-Id"], "")
    text = text.replace(answer.request.path, "")
    for value in sorted(ids.values(), key=len, reverse=True):
        text = text.replace(value, "") if len(value) > 6 else text
    headers = [
        (name, value)
        for name, value in answer.headers
        if name not in {"X-Request-Id", "Date", "Content-Length"}
    ]
    return answer.status_code, text, headers


def ask(
    site: Browser, address: tuple[str, str], row: Row, ids: dict[str, str], who: dict[str, str]
) -> Any:
    method, rule = address
    path = "/".join(ids.get(part.strip("<>").split(":")[-1], part) for part in rule.split("/"))
    query = row.query.replace("<id>", ids["conversation_id"])
    body = json.dumps(row.body).replace("<id>", ids["conversation_id"])
    kind = "application/json" if row.body is not None else None
    content = body if kind else None
    target = f"{path}?{query}"
    return site.client.open(
        target, method=method, headers=who, data=content, content_type=kind, buffered=True
    )


def list_rules(site: Browser) -> set[tuple[str, str]]:
    return {
        (method, rule.rule)
        for rule in site.client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}
    }
