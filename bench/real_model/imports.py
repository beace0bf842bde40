"""An import at the model that also answers: `python -m bench.real_model imports`.

Long messages (BENCH_MESSAGES, 200) are imported, and learned at a server that answers one request
at once: on one site alone, on another while somebody writes once a minute. Prints how long each
takes, how often jobs were tried and cut off, and how soon that person's facts are learned. Without
LLM_API_BASE a scripted server is used, with the speed of a 1.5B model on two cores.
"""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections import Counter

import httpx

from bench.harness.site import USER_HEADER, BenchSite, running_site
from bench.real_model.contention import Person, running_model
from tests.fakes.openai_server import Scripted
from tests.integration.faults.answers import ANSWERS

MESSAGES = int(os.environ.get("BENCH_MESSAGES", "200"))
A_CONVERSATION = 20
SENTENCES = 18  # of a message: about 1,500 characters
PAUSE_S = 60.0
LIMIT_S = 3 * 3600.0
IMPORT_S = 60.0
PLACES = ("harbour", "library", "station", "workshop", "garden", "museum", "bakery", "theatre")
THINGS = ("a lamp", "two tickets", "an old map", "a red coat", "a guitar", "a wooden boat")
EPISODE = {
    "summary": "They went through what was bought, borrowed and repaired, and where. " * 6,
    "key_concepts": ["repairs", "places", "prices", "friends"],
}
CUT_OFF = re.compile(r"job\.yields .*job_id=(\d+).* reason=revoked")
TRIED = """
    SELECT coalesce(max(attempts), 0) AS most, count(*) AS jobs,
           count(*) FILTER (WHERE jobs.status = 'failed') AS failed
    FROM jobs JOIN conversations USING (conversation_id) WHERE user_id = %(user_id)s
"""
LATE = """
    SELECT coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY late_s), 0) AS median,
           coalesce(max(late_s), 0) AS most, count(*) AS jobs
    FROM (SELECT extract(epoch FROM finished_at - created_at)::float8 AS late_s
          FROM fact_extractions WHERE user_id = %(user_id)s AND status = 'completed') AS done
"""
LEFT = """
    SELECT count(*) AS n FROM jobs JOIN conversations USING (conversation_id)
    WHERE jobs.status = 'processing' AND user_id = %(user_id)s
"""
IMPORTER, SPEAKER = "importer", "speaker"


def main() -> None:
    print(f"{MESSAGES} messages of about 1,500 characters")
    episode = Scripted(text=json.dumps(EPISODE))
    with running_model(1, ANSWERS | {"episode": episode}) as model:
        alone_s = measure("alone", model, speaks=False)
        beside_s = measure("beside a message a minute", model, speaks=True)
    print(f"ratio: {beside_s / alone_s:.2f}")


def measure(name: str, environment: dict[str, str], *, speaks: bool) -> float:
    """Seconds until all that was imported is learned."""
    with running_site(environment) as site:
        site.warm_up()
        person = Person(site.url, SPEAKER, rounds=10_000, pauses_s=(PAUSE_S, PAUSE_S))
        began = time.monotonic()
        import_messages(site)
        if speaks:
            person.start()
        while time.monotonic() - began < LIMIT_S and site.fetch_row(LEFT, user_id=IMPORTER)["n"]:
            time.sleep(2)
        learned_s = time.monotonic() - began
        person.stopped.set()
        show(name, site, learned_s)
        return learned_s


def import_messages(site: BenchSite) -> None:
    chance = random.Random(1)
    conversations = [
        {
            "id": f"past-{number}",
            "messages": [
                {"role": ("user", "assistant")[each % 2], "content": make_message(chance)}
                for each in range(A_CONVERSATION)
            ],
        }
        for number in range(MESSAGES // A_CONVERSATION)
    ]
    answer = httpx.post(
        f"{site.url}/api/v1/imports",
        json=conversations,
        headers={USER_HEADER: IMPORTER},
        timeout=IMPORT_S,
    )
    answer.raise_for_status()


def make_message(chance: random.Random) -> str:
    return " ".join(
        f"At the {chance.choice(PLACES)} I saw {chance.choice(THINGS)} for {chance.randrange(90)} "
        "euros, and thought about it for a while."
        for _ in range(SENTENCES)
    )


def show(name: str, site: BenchSite, learned_s: float) -> None:
    tried = site.fetch_row(TRIED, user_id=IMPORTER)
    late = site.fetch_row(LATE, user_id=SPEAKER)
    cuts = Counter(CUT_OFF.findall(site.log))
    print(f"{name}: learned after {learned_s:.0f} s")
    print(f"  {tried['jobs']} jobs, {tried['failed']} failed, tried {tried['most']} times at most; "
          f"calls cut off: {cuts.total()}, of one job {max(cuts.values(), default=0)}")  # fmt: skip
    if late["jobs"]:
        print(f"  {late['jobs']} live facts jobs done, after {late['median']:.0f} s at the median, "
              f"{late['most']:.0f} s at most")  # fmt: skip
