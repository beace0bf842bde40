"""Import and export through the real server, and what the workers make of an import."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx

from tests.e2e.site import Site
from tests.waiting import wait_for

MEGABYTE = 1_000_000


def conversation(number: int, rounds: int = 3, filler: str = "") -> bytes:
    """Three rounds, then what a tool has said, which is not kept."""
    messages = [
        {"role": role, "content": f"I like the number {number}.", "created_at": 1_700_000_000 + n}
        for n, role in enumerate(["user", "assistant"] * rounds)
    ]
    messages.append({"role": "tool", "content": filler, "created_at": 1_700_000_100})
    return json.dumps({"id": f"e-{number}", "messages": messages}).encode()


def file_of(count: int, filler: str) -> Iterator[bytes]:
    for number in range(count):
        yield (b"[" if number == 0 else b",") + conversation(number, filler=filler)
    yield b"]"


def post_file(site: Site, pieces: Iterator[bytes]) -> httpx.Response:
    """In chunks: the server is not told how long the file is."""
    headers = {"Content-Type": "application/json"}
    return httpx.post(f"{site.url}/api/v1/imports", content=pieces, headers=headers, timeout=60)


def test_a_file_sent_in_chunks_goes_through_the_pipeline_and_comes_out_again(site: Site) -> None:
    before = site.get("/api/v1/export")["conversations"]
    answer = post_file(site, file_of(4, "x" * MEGABYTE))
    assert answer.status_code == 200, answer.text
    report = answer.json()
    assert (report["conversations"]["imported"], report["messages"]) == (4, 24)
    path = f"/api/v1/imports/{report['import_id']}"
    wait_for(lambda: is_covered(site.get(path)), 60, site.log("worker-llm"))
    exported = site.get("/api/v1/export")["conversations"]
    known = {conversation["conversation_id"] for conversation in before}
    fresh = [entry for entry in exported if entry["conversation_id"] not in known]
    assert [len(entry["messages"]) for entry in fresh] == [6] * 4
    assert all(entry["summaries"] for entry in fresh)
    too_long = post_file(site, file_of(8, "x" * MEGABYTE))
    assert too_long.status_code == 413
    assert site.get("/api/v1/imports")["imports"][0]["status"] == "failed"


def is_covered(report: Any) -> bool:
    tiers = report["tiers"]
    return all(tiers[kind]["covered"] == tiers[kind]["total"] for kind in ("summary", "facts"))


def test_a_client_that_hangs_up_leaves_nothing_of_what_it_had_sent(site: Site) -> None:
    before = len(site.get("/api/v1/imports")["imports"])
    head = (
        b"POST /api/v1/imports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 5000000\r\n\r\n"
    )
    content = b"[" + conversation(10) + b"," + conversation(11, filler="x" * 200_000)
    with socket.create_connection(("127.0.0.1", site.port)) as connection:
        connection.sendall(head + content[:-100])
    wait_for(lambda: len(site.get("/api/v1/imports")["imports"]) > before, explain=site.log("web"))
    wait_for(lambda: site.get("/api/v1/imports")["imports"][0]["status"] == "failed")
    newest = site.get("/api/v1/imports")["imports"][0]
    assert newest["conversations"]["imported"] == 0
    whole = post_file(site, iter([content, b"]"]))
    assert whole.json()["conversations"] == {"imported": 2, "skipped": 0, "failed": 0}


def test_large_files_are_taken_packed_or_not(site: Site) -> None:
    content = b"[" + conversation(20, filler="x" * (2 * MEGABYTE)) + b"]"
    answer = send_whole(site, "/api/v1/imports", content, "application/json")
    assert answer.json()["conversations"]["imported"] == 1
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("conversations.json", conversation(29, filler="x" * (2 * MEGABYTE)))
    for kind, known in (("application/json", 0), ("application/zip", 1)):
        answer = send_whole(site, "/api/v1/imports", packed.getvalue(), kind)
        assert answer.json()["conversations"]["skipped"] == known
    refused = send_whole(site, "/api/v1/facts", packed.getvalue()[:99], "application/zip")
    assert refused.status_code == 415


def send_whole(site: Site, path: str, content: bytes, kind: str) -> httpx.Response:
    headers = {"Content-Type": kind}
    return httpx.post(f"{site.url}{path}", content=content, headers=headers, timeout=60)
