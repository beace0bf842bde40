"""What memory made of a conversation, kind by kind, and whether answers use each kind."""

from __future__ import annotations

from collections.abc import Sequence

from bench.site import Json, Site

LONG_TEXT = 160


def show_tiers(site: Site, conversation_id: str, messages: Sequence[Json]) -> None:
    """Counts, and the records of memory for each message."""
    summaries = [
        row for row in site.list_summaries(conversation_id) if row["status"] == "completed"
    ]
    episodes, facts = site.list_episodes(conversation_id), site.list_facts()
    standing = min(1, len(summaries)) + len(episodes) + len(facts)
    print(f"short-term and Postgres: {len(messages)} messages")
    print(f"rolling summary: {len(summaries)} versions, one of them in use")
    print(f"episodes: {len(episodes)}, covering messages {_covered(episodes)}")
    print(f"facts: {len(facts)} active")
    for fact in facts[:10]:
        print(f"  {fact['category']}: {fact['key']} = {fact['value']}")
    print(f"memory records in use for each message: {standing / max(1, len(messages)):.2f}\n")


def ask_each_tier(site: Site, conversation_id: str) -> None:
    """Ask one question about each kind of memory, and print what the trace says was given."""
    episodes = site.list_episodes(conversation_id)
    _ask(site, "facts", "What do you know about me?", None)
    if episodes:
        concept = (episodes[len(episodes) // 2]["key_concepts"] or ["that"])[0]
        _ask(site, "episodes", f"What did we say about {concept}?", None)
    _ask(site, "summary", "What did we just talk about?", conversation_id)


def _ask(site: Site, tier: str, question: str, conversation_id: str | None) -> None:
    answer = site.send(question, conversation_id)
    if answer.conversation_id is None or answer.sequence is None:
        print(f"{tier}: {question} → {answer.error}")
        return
    trace = site.get_trace(answer.conversation_id, answer.sequence)
    counts = {name: len(trace[name]) for name in ("facts", "episodes")}
    points = trace["summary"]["points"] if trace["summary"] else 0
    reply = site.list_messages(answer.conversation_id)[-1]["content"]
    print(f"{tier}: {question}")
    print(f"  {reply[:LONG_TEXT]}")
    print(f"  given: {counts}, {points} points of the summary, word for word {trace['verbatim']}")


def _covered(episodes: Sequence[Json]) -> str:
    spans = [(episode["start"], episode["end"]) for episode in episodes]
    return f"{min(s for s, _ in spans)}-{max(e for _, e in spans)}" if spans else "none"
