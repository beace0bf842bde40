"""Who is worked on next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from shared.settings import read_settings
from tests.waiting import PATIENCE_S
from web.server.turns import AT_ONCE, BESIDE_OTHERS, LONG_QUEUE, MAX_KNOWN, USER, Turn, Turns

CROWD = 60


def request(address: str = "192.0.2.1", **headers: str) -> dict[str, Any]:
    return {"REMOTE_ADDR": address, "wsgi.url_scheme": "http", **headers}


def run(story: Callable[[Turns], Awaitable[None]]) -> None:
    async def tell() -> None:
        await asyncio.wait_for(story(Turns(read_settings())), PATIENCE_S)

    asyncio.run(tell())


async def settle() -> None:
    """Let all that is ready go on."""
    for _ in range(5):
        await asyncio.sleep(0)  # noqa: TID251 - it waits for no time


def begin(turns: Turns, environ: dict[str, Any]) -> asyncio.Task[Turn]:
    return asyncio.ensure_future(turns.begin(environ))


def list_begun(tasks: list[asyncio.Task[Turn]]) -> list[asyncio.Task[Turn]]:
    return [task for task in tasks if task.done() and not task.cancelled()]


def test_of_sixty_of_one_few_begin() -> None:
    async def story(turns: Turns) -> None:
        crowd = [begin(turns, request()) for _ in range(CROWD)]
        await settle()
        assert len(list_begun(crowd)) == AT_ONCE
        for count in range(CROWD):
            list_begun(crowd)[count].result().end()
            list_begun(crowd)[count].result().end()  # twice is once
            await settle()
            assert len(list_begun(crowd)) == min(CROWD, count + 1 + AT_ONCE)

    run(story)


def test_another_does_not_wait_for_them_and_meanwhile_there_are_fewer() -> None:
    async def story(turns: Turns) -> None:
        crowd = [begin(turns, request()) for _ in range(LONG_QUEUE)]
        other = begin(turns, request("198.51.100.7"))
        await settle()
        assert other.done()
        for count in range(AT_ONCE):  # the first ones that end leave their turns to the other
            list_begun(crowd)[count].result().end()
        await settle()
        assert len(list_begun(crowd)) == AT_ONCE + BESIDE_OTHERS
        other.result().end()
        list_begun(crowd)[-1].result().end()
        await settle()
        assert len(list_begun(crowd)) == AT_ONCE + 2 * BESIDE_OTHERS  # others may come again

    run(story)


@pytest.mark.parametrize("others", [0, 1])
def test_whose_queue_is_long_pauses_while_others_come(others: int) -> None:
    async def story(turns: Turns) -> None:
        crowd = [begin(turns, request()) for _ in range(CROWD)]
        await settle()
        for number in range(others):
            (await turns.begin(request(f"198.51.100.{number}"))).end()
        for task in list_begun(crowd):
            task.result()._began -= 2 * PATIENCE_S  # so long it took
            task.result().end()
        await settle()
        assert len(list_begun(crowd)) == AT_ONCE * (1 if others else 2)

    run(story)


def test_a_client_that_leaves_takes_no_turn_from_those_behind_it() -> None:
    async def story(turns: Turns) -> None:
        crowd = [begin(turns, request()) for _ in range(AT_ONCE + 3)]
        await settle()
        crowd[AT_ONCE].cancel()
        await settle()
        crowd[0].result().end()
        crowd[AT_ONCE + 1].cancel()  # its turn has just come
        await settle()
        assert crowd[AT_ONCE + 2].done()

    run(story)


def test_a_request_that_takes_long_leaves_its_turn_to_the_next_one() -> None:
    async def story(turns: Turns) -> None:
        first = [await turns.begin(request()) for _ in range(AT_ONCE)]
        assert await turns.begin(request())
        for turn in first:
            turn.end()

    run(story)


@pytest.mark.parametrize("header", ["HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_X_FORWARDED_USER"])
def test_a_user_is_known_by_what_was_accepted_and_by_nothing_else(header: str) -> None:
    async def story(turns: Turns) -> None:
        known_request = request(**{header: "accepted"})
        crowd = [begin(turns, request(**{header: f"made up {n}"})) for n in range(CROWD)]
        await settle()
        assert len(list_begun(crowd)) == AT_ONCE
        early = begin(turns, known_request)
        await settle()
        assert not early.done()
        turns.remember(known_request | {USER: "ada"})
        mine = [begin(turns, request("203.0.113.9", **{header: "accepted"})) for _ in range(CROWD)]
        await settle()
        assert len(list_begun(mine)) == BESIDE_OTHERS

    run(story)


def test_no_number_of_tokens_makes_the_process_grow() -> None:
    async def story(turns: Turns) -> None:
        for number in range(MAX_KNOWN + 10):
            turns.remember(request(HTTP_AUTHORIZATION=str(number)) | {USER: "ada"})
        assert len(turns._users) == MAX_KNOWN
        for _ in range(CROWD):
            (await turns.begin(request())).end()
        assert not turns._in_work
        assert not turns._queues

    run(story)
