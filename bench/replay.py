"""Replay one side of a LoCoMo conversation on a running site: `python -m bench.replay 26.json`.

One speaker is the user; the site's replies take the other speaker's part. Prints the milliseconds
of the replies and the chain of summaries. Exit code 1 means that a message is missing.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click

from bench.completeness import list_faults
from bench.locomo import read_conversation, user_side
from bench.site import Answer, Json, Site, local_headers, wait_until
from bench.tiers import ask_each_tier, show_tiers

COLUMNS = ("memory_id", "start", "end", "base", "status", "ms")
ROW = "{:>10} {:>6} {:>6} {:>10}  {:<10} {:>6}"


@click.command()
@click.argument("conversation", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", default="http://127.0.0.1:8000", show_default=True)
@click.option("--rate", default=0.0, help="Rounds a second; 0: as fast as answers come.")
@click.option("--user", help="Which speaker is the user; the first one by default.")
@click.option("--rounds", type=int, help="Stop after so many.")
@click.option("--patience", default=120.0, show_default=True, help="Seconds for jobs to finish.")
def main(  # noqa: PLR0913 - an argument for each option
    *,
    conversation: Path,
    url: str,
    rate: float,
    user: str | None,
    rounds: int | None,
    patience: float,
) -> None:
    """Send the user's side of CONVERSATION through POST /chat, then check the result."""
    utterances = read_conversation(conversation)
    texts = user_side(utterances, user or utterances[0].speaker)[:rounds]
    if not texts:
        raise click.UsageError(f"{user} says nothing in {conversation}.")
    with closing(Site(url, headers=local_headers())) as site:
        sys.exit(1 if replay(site, texts, rate, patience) else 0)


def replay(site: Site, texts: Sequence[str], rate: float, patience: float) -> list[str]:
    """Print everything, and return the faults."""
    began = time.perf_counter()
    answers = list(send_all(site, texts, rate))
    show_times(answers, time.perf_counter() - began)
    conversation_id = answers[-1].conversation_id
    if conversation_id is None:
        return show_faults([f"nothing was taken: {answers[0].error}"])
    began = time.perf_counter()
    is_quiet = wait_until(lambda: site.is_quiet(conversation_id), patience)
    print(f"jobs quiet: {is_quiet}, {time.perf_counter() - began:.1f} s after the last reply\n")
    show_chain(site.list_summaries(conversation_id))
    messages = site.list_messages(conversation_id)
    show_counts(messages)
    show_tiers(site, conversation_id, messages)
    ask_each_tier(site, conversation_id)
    refused = [f"round {n}: {a.error}" for n, a in enumerate(answers) if a.sequence is None]
    accepted_texts = [
        text for text, a in zip(texts, answers, strict=True) if a.sequence is not None
    ]
    return show_faults(refused + list_faults(accepted_texts, messages))


def send_all(site: Site, texts: Sequence[str], rate: float) -> Iterator[Answer]:
    """One after the other, at the given rate."""
    conversation_id = None
    began = time.monotonic()
    for number, text in enumerate(texts):
        if rate:
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
        answer = site.send(text, conversation_id)
        conversation_id = answer.conversation_id
        show_progress(number + 1, len(texts), answer)
        yield answer


def show_progress(done: int, total: int, answer: Answer) -> None:
    what = answer.error or f"{answer.taken_ms:.0f} ms"
    end = "\n" if answer.error or done == total else ""
    print(f"\r\x1b[Kround {done}/{total}: {what}", end=end, file=sys.stderr, flush=True)


def show_times(answers: Sequence[Answer], taken_s: float) -> None:
    times = sorted(answer.taken_ms for answer in answers)
    middle, slow = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"{len(answers)} rounds in {taken_s:.1f} s ({len(answers) / taken_s:.1f} a second)")
    print(f"a round: p50 {middle:.0f} ms, p95 {slow:.0f} ms, longest {times[-1]:.0f} ms")


def show_chain(rows: Sequence[Json]) -> None:
    """Oldest first."""
    print(ROW.format(*COLUMNS))
    for row in rows:
        base, generation_ms = row["base_memory_id"] or "-", row["generation_time_ms"]
        span = row["start_sequence"], row["end_sequence"]
        ms = "-" if generation_ms is None else generation_ms
        print(ROW.format(row["memory_id"], *span, base, row["status"], ms))
    if rows and rows[0]["start_sequence"] > 0:
        print("(older rows are not shown by the site)")
    counts = ", ".join(f"{n} {status}" for status, n in Counter(r["status"] for r in rows).items())
    print(f"{len(rows)} summaries: {counts}\n")


def show_counts(messages: Sequence[Json]) -> None:
    counts = Counter((message["role"], message["status"]) for message in messages)
    listing = ", ".join(f"{count} {role} {status}" for (role, status), count in counts.items())
    print(f"{len(messages)} messages: {listing}")


def show_faults(faults: list[str]) -> list[str]:
    print("\n".join(faults) or "nothing is missing: every text is there, in order, without a hole")
    return faults


if __name__ == "__main__":
    main()
