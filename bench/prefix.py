"""How much of each prompt is the beginning of the prompt before it: `python -m bench.prefix`.

Providers and local servers read such a beginning from their cache. A chat of 60 rounds after an
older one, a minute a round: facts are learned, episodes are closed, and two rounds ask about old
things. The rounds run in this process, on the Postgres, the Redis and the workers of a whole
site. A scripted model replies, the stand-in makes the memory. All jobs of a round are done before
the next one. `--first-word` then puts the prompts around the thirtieth round to the model at
LLM_API_BASE, and times its first words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

import click
import httpx
from flask import Flask

from bench.harness.report import Figure, publish
from bench.harness.site import (
    USER_HEADER,
    BenchSite,
    find_addresses,
    model_settings,
    running_site,
    wait_until,
)
from bench.real_model.conversations import read_talks
from shared.llm import count_tokens
from shared.rounds import prompt_builder
from shared.settings import STAND_IN_MODEL, Settings, read_settings
from tests.fakes.openai_json import task_of
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.fakes.prompt_cache import common_start
from tests.services import as_application
from web.app import create_app, warm_up_in_background

USER = "ada"
EARLIER = "A trip to Norway"
TALKS = (
    "A bug in Python",
    "Learning the cello",
    "Sourdough goes wrong",
    "Training for ten kilometres",
)
#: By round: the facts come before what the user says anyway.
FACTS = {
    2: "I live in Lisbon.",
    7: "My dog is called Biscuit.",
    13: "I work as a nurse.",
    21: "I am allergic to peanuts.",
    26: "My sister is called Marta.",
    38: "I prefer short answers.",
    47: "I speak Portuguese and German.",
}
QUESTIONS = {
    33: ("Which cabin did I choose on the ferry to Oslo?", "The one with a sea view."),
    56: ("What was wrong with the connections in my Flask app?", "They were never given back."),
}
USED_SUMMARIES = """
    SELECT count(DISTINCT trace #>> '{summary,memory_id}') AS n FROM messages
    WHERE (trace #>> '{summary,points}')::integer > 0
"""
Messages = Sequence[Mapping[str, Any]]
FIRST_WORDS = slice(24, 34)  # of the prompts
FIRST_PIECE = re.compile(r'"content": ?"[^"]')


class Clock(datetime):
    """A minute later at each round."""

    rounds = 0

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + timedelta(minutes=cls.rounds)


@click.command()
@click.option("--ctx-tokens", default=8000, show_default=True, help="Fewer: the anchor moves.")
@click.option("--verbose", is_flag=True, help="A line for each round.")
@click.option("--first-word", is_flag=True, help="Also ask the model at LLM_API_BASE.")
def main(*, ctx_tokens: int, verbose: bool, first_word: bool) -> None:
    environment = read_settings()
    room = {"CTX_TOKENS": str(ctx_tokens), "RECENT_TOKENS": str(ctx_tokens * 3 // 8)}
    with running_openai_server() as server:
        settings = model_settings(server.base_url) | room | {"MEMORY_MODEL": STAND_IN_MODEL}
        with running_site(settings) as site, running_app(site, settings) as app:
            prompt_builder.datetime = Clock  # type: ignore[attr-defined]
            play(app, site, server, rounds_of((EARLIER,)))
            prompts = play(app, site, server, list_rounds())
            figures = [*measure(prompts, verbose=verbose), *count_summaries(site)]
    if first_word:
        figures += time_first_words(environment, prompts[FIRST_WORDS])
    publish("prefix", figures)


@contextmanager
def running_app(site: BenchSite, environment: Mapping[str, str]) -> Iterator[Flask]:
    """A second web process of the site, which is this one."""
    httpx.get(f"{site.url}/healthz?warm", timeout=60)
    database_url, redis_url = find_addresses(site.data_dir)
    settings: dict[str, object] = {name.lower(): value for name, value in environment.items()}
    app = create_app(
        read_settings(
            **settings,
            data_dir=site.data_dir,
            database_url=as_application(database_url),
            redis_url=redis_url,
            auth_mode="proxy",
            trusted_proxies="127.0.0.1",
        )
    )
    context = app.extensions["throughline"]
    warm_up_in_background(app)
    if not wait_until(lambda: context.encoder.ready, 600):
        raise SystemExit("the encoder did not load")
    yield app
    context.services.close()


def list_rounds() -> list[tuple[str, str]]:
    rounds = rounds_of(TALKS)
    for at, fact in FACTS.items():
        rounds[at] = (f"{fact} {rounds[at][0]}", rounds[at][1])
    for at, exchange in QUESTIONS.items():
        rounds[at] = exchange
    return rounds


def rounds_of(titles: Sequence[str]) -> list[tuple[str, str]]:
    talks = {talk.title: talk for talk in read_talks()}
    return [exchange for title in titles for exchange in talks[title].rounds]


def play(
    app: Flask, site: BenchSite, server: FakeOpenAI, rounds: Sequence[tuple[str, str]]
) -> list[Messages]:
    """The prompts of a new conversation."""
    client, conversation = app.test_client(), None
    server.requests.clear()
    for message, reply in rounds:
        Clock.rounds += 1
        server.script(Scripted(text=reply))
        body = {"message": message} | ({"conversation_id": conversation} if conversation else {})
        answer = client.post("/chat", json=body, headers={USER_HEADER: USER})
        if answer.status_code != 200:
            raise SystemExit(f"{answer.status_code}: {answer.text}")
        conversation = answer.get_json()["conversation_id"]
        app.extensions["throughline"].runner.drain(60)
        site.wait_for_jobs()
    replies = [request.body for request in server.requests if task_of(request.body) == "reply"]
    return [body["messages"] for body in replies]


def as_text(messages: Messages) -> str:
    """In the form of ChatML, as a model reads it."""
    turns = (
        f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in messages
    )
    return "".join(turns)


def measure(prompts: Sequence[Messages], *, verbose: bool) -> Iterator[Figure]:
    count = count_tokens("gpt-4o")
    shares, read = [], []
    texts = [as_text(prompt) for prompt in prompts]
    for number, (before, prompt) in enumerate(pairwise(texts), start=2):
        tokens = count(prompt)
        same = count(common_start(before, prompt))
        shares.append(100 * same / tokens)
        read.append(float(tokens - same))
        if verbose:
            print(f"round {number}: {tokens} tokens, {same} as before ({shares[-1]:.0f} %)")
    yield Figure(name="share of a prompt that is as before, median", value=median(shares), unit="%")
    yield Figure(name="the least", value=min(shares), unit="%")
    yield Figure(name="tokens that are new, median", value=median(read), unit="tokens")
    yield Figure(name="the most", value=max(read), unit="tokens")
    longest = max(map(count, texts))
    yield Figure(name="tokens of the longest prompt", value=float(longest), unit="tokens")


def time_first_words(settings: Settings, prompts: Sequence[Messages]) -> Iterator[Figure]:
    """Each prompt comes after the one before it, which the server may still know."""
    times = [_time_first_word(settings, prompt) for prompt in prompts]
    yield Figure(
        name="first word, the prompt as in the chat, median", value=median(times[1:]), unit="s"
    )
    yield Figure(name="the longest", value=max(times[1:]), unit="s")
    yield Figure(
        name="the first prompt of these, of which nothing was known", value=times[0], unit="s"
    )


def _time_first_word(settings: Settings, prompt: Messages) -> float:
    body = {"model": settings.llm_model, "messages": prompt, "stream": True, "max_tokens": 8}
    headers = {"Authorization": f"Bearer {settings.llm_api_key.get_secret_value()}"}
    began = time.monotonic()
    with httpx.stream(
        "POST", f"{settings.llm_api_base}/chat/completions", json=body, headers=headers, timeout=900
    ) as answer:
        answer.raise_for_status()
        for line in answer.iter_lines():
            if FIRST_PIECE.search(line):
                return time.monotonic() - began
    raise SystemExit("the model has answered nothing")


def count_summaries(site: BenchSite) -> Iterator[Figure]:
    """Of both conversations. A summary is used if a prompt was given a point of it."""
    count = site.fetch_row("SELECT count(*) AS n FROM memory WHERE status = 'completed'")["n"]
    used_count = site.fetch_row(USED_SUMMARIES)["n"]
    yield Figure(name="summaries that were written", value=float(count), unit="")
    yield Figure(name="those that a prompt was given", value=float(used_count), unit="")


if __name__ == "__main__":
    main()
