"""`throughline load`: imitated users talk to a running site."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import click

from shared.local_secrets import OFF, token_path
from shared.settings import host_and_port, read_settings
from throughline.printing import json_option, progress, show
from throughline_client import Options, Throughline, ThroughlineError

SAID = (
    "I planted {number} tulips behind the house this morning.",
    "My neighbour's dog is called Biscuit, and it is {number} years old.",
    "How many tulips did I plant?",
    "We go to the lake on Sunday, {number} of us.",
    "What is the dog's name?",
)


@dataclass(frozen=True)
class Round:
    """Seconds to the first piece and to the end; or the error."""

    first_s: float = 0
    whole_s: float = 0
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is sent. `keep`: the conversations are not deleted."""

    rounds: int
    at_once: int
    keep: bool


@click.command()
@click.option("--url", help="The site.  [default: the one of this machine, by BIND and PORT]")
@click.option("--token", envvar="THROUGHLINE_TOKEN", help="An API token. Also THROUGHLINE_TOKEN.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=50, show_default=True)
@click.option("--at-once", type=click.IntRange(1, 200), default=4, show_default=True)
@click.option("--keep", is_flag=True, help="Keep the conversations. They are deleted otherwise.")
@json_option
def load(*, as_json: bool, url: str | None, token: str | None, **plan: Any) -> None:
    """Send messages to a running site, AT_ONCE at a time, and measure the waits.

    The rounds are real: they are answered by the site's model, counted in the token's user's
    quota, and remembered until the conversations are deleted at the end.
    """
    address, shown = _find_site(url, token)
    with Throughline(address, shown, Options(attempts=1)) as site:
        began = time.perf_counter()
        with progress("Rounds", plan["rounds"], as_json=as_json) as bar:
            rounds = _talk(site, Plan(**plan), on_round=lambda: bar.update(1))
        took_s = time.perf_counter() - began
    result = _summarize(rounds, took_s)
    show(result, _describe(result), as_json=as_json)
    if result["errors"]:
        raise SystemExit(1)


def _find_site(url: str | None, token: str | None) -> tuple[str, str]:
    settings = read_settings()
    url = url or f"http://{host_and_port(settings.bind, settings.port)}"
    if token is None and (chosen := settings.local_token.get_secret_value()):
        token = chosen
    if token is None:
        with suppress(OSError):
            token = token_path(settings.data_dir).read_text().strip()
    return url, token or OFF


def _talk(site: Throughline, plan: Plan, on_round: Callable[[], None]) -> list[Round]:
    """Each of the imitated users has a conversation, and sends when the last reply is whole."""
    users = min(plan.at_once, plan.rounds)
    shares = [len(range(number, plan.rounds, users)) for number in range(users)]
    lock = threading.Lock()

    def finished() -> None:
        with lock:
            on_round()

    with ThreadPoolExecutor(max_workers=len(shares)) as pool:
        talks = [pool.submit(_converse, site, share, plan.keep, finished) for share in shares]
        return [each for talk in as_completed(talks) for each in talk.result()]


def _converse(
    site: Throughline, rounds: int, keep: bool, finished: Callable[[], None]
) -> list[Round]:
    rounds_of_user: list[Round] = []
    conversation_id: str | None = None
    for number in range(rounds):
        text = SAID[number % len(SAID)].format(number=number + 2)
        each, conversation_id = _send(site, text, conversation_id)
        rounds_of_user.append(each)
        finished()
    if conversation_id is not None and not keep:
        with suppress(ThroughlineError):
            site.delete_conversation(conversation_id)
    return rounds_of_user


def _send(site: Throughline, text: str, conversation_id: str | None) -> tuple[Round, str | None]:
    """The round, and its conversation."""
    began = time.perf_counter()
    first_s = None
    stream = site.stream(text, conversation_id)
    try:
        for _ in stream:
            first_s = first_s or time.perf_counter() - began
    except ThroughlineError as exc:
        return Round(error=str(exc)), stream.conversation_id or conversation_id
    whole_s = time.perf_counter() - began
    return Round(first_s=first_s or whole_s, whole_s=whole_s), stream.conversation_id


def _summarize(rounds: list[Round], took_s: float) -> dict[str, object]:
    good = [each for each in rounds if each.error is None]
    errors: dict[str, int] = {}
    for each in rounds:
        if each.error is not None:
            errors[each.error] = errors.get(each.error, 0) + 1
    return {
        "rounds": len(good),
        "rounds_per_s": round(len(good) / took_s, 2),
        "first_piece_ms": _percentiles([each.first_s for each in good]),
        "whole_reply_ms": _percentiles([each.whole_s for each in good]),
        "errors": errors,
    }


def _percentiles(seconds: list[float]) -> dict[str, int]:
    if len(seconds) < 2:
        return {f"p{share}": round(second * 1000) for second in seconds for share in (50, 95, 99)}
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {f"p{share}": round(cuts[share - 1] * 1000) for share in (50, 95, 99)}


def _describe(result: dict[str, object]) -> list[str]:
    lines = [f"{result['rounds']} rounds, {result['rounds_per_s']} a second"]
    for name in ("first_piece_ms", "whole_reply_ms"):
        cuts = result[name]
        if isinstance(cuts, dict) and cuts:
            parts = ", ".join(f"{share} {value} ms" for share, value in cuts.items())
            lines.append(f"{name.removesuffix('_ms').replace('_', ' ')}: {parts}")
    errors = result["errors"]
    if isinstance(errors, dict):
        lines += [f"failed {count} times: {text}" for text, count in errors.items()]
    return lines
