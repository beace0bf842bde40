"""How many of our functions and files does a request pass? `python -m bench.passes` (a minute).

An application in this process, on an embedded Postgres and Valkey, answers requests that it has
answered before. Counted are the functions of `shared`, `web` and `workers` that are called in the
request's thread and in the threads that it starts, such as that of a reply. A lambda or a
comprehension belongs to the function around it. `--list` prints the functions in the order of
their first call.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click
from flask import Flask
from flask.testing import FlaskClient

from bench.harness.model_server import running_model
from bench.harness.report import Figure, publish
from bench.harness.site import model_settings, wait_until
from shared.settings import read_settings
from tests.services import as_application, running_services
from web.app import create_app, warm_up_in_background

ROOT = Path(__file__).parents[1]
PRODUCT = tuple(f"{ROOT / name}/" for name in ("shared", "web", "workers"))
MESSAGE = "Which tea did I like best in Oslo?"
LOADING_S = 600.0
DRAIN_S = 60.0
REQUESTS = {
    "a listing of personas": "/api/v1/personas",
    "a listing of conversations": "/api/v1/conversations",
    "a search": "/api/v1/search?q=tea",
    "POST /chat": "/chat",
}

#: Files from the root, and functions with their classes, in the order of their first call.
Passed = list[tuple[str, str]]


@click.command()
@click.option("--list", "lists", is_flag=True, help="Print the functions, too.")
def main(*, lists: bool) -> None:
    figures: list[Figure] = []
    with running_app() as app:
        client = app.test_client()
        conversation_id = send(client, None)
        for name, path in REQUESTS.items():
            for _ in range(2):  # the first one fills caches
                passed = record(app, path, conversation_id)
            if lists:
                print(f"\n{name}")
                print("\n".join(f"  {file} {function}" for file, function in passed))
            for what, number in (
                ("functions", len(passed)),
                ("files", len({file for file, _ in passed})),
            ):
                figures.append(Figure(name=f"{name}: {what}", value=number, unit=""))
    publish("passes", figures)


@contextmanager
def running_app() -> Iterator[Flask]:
    with (
        tempfile.TemporaryDirectory() as data,
        running_services() as services,
        services.databases.copy() as database_url,
        running_model() as (model, _),
    ):
        variables = model_settings(model) | {"LOCAL_TOKEN": "off"}
        settings: dict[str, object] = {name.lower(): value for name, value in variables.items()}
        app = create_app(
            read_settings(
                **settings,
                data_dir=Path(data),
                database_url=as_application(database_url),
                redis_url=services.valkey.url,
            )
        )
        context = app.extensions["throughline"]
        warm_up_in_background(app)
        if not wait_until(lambda: context.encoder.ready, LOADING_S):
            raise SystemExit("the encoder did not load")
        yield app
        context.leaving.set()
        context.services.close()


def record(app: Flask, path: str, conversation_id: str) -> Passed:
    passed: dict[tuple[str, str], None] = {}  # keeps the order

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PRODUCT):
            function = code.co_qualname.partition(".<locals>.<")[0]
            if not function.startswith("<"):
                passed.setdefault((str(Path(code.co_filename).relative_to(ROOT)), function))

    client = app.test_client()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        if path == "/chat":
            send(client, conversation_id)
            app.extensions["throughline"].runner.drain(DRAIN_S)
        elif (answer := client.get(path)).status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text}")
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(passed)


def send(client: FlaskClient, conversation_id: str | None) -> str:
    body = {"message": MESSAGE} | ({"conversation_id": conversation_id} if conversation_id else {})
    answer = client.post("/chat", json=body)
    if answer.status_code != 200:
        raise SystemExit(f"/chat: {answer.status_code} {answer.text}")
    return str(answer.get_json()["conversation_id"])


if __name__ == "__main__":
    main()
