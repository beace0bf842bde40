"""Following a reply without a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from shared.models import ConversationId, Outcome, ReplyAttempt
from shared.rounds.followers import Progress, follow_reply, wait_for_outcome
from shared.rounds.live_reply import LiveReply

ATTEMPT = ReplyAttempt(ConversationId("0b6ce0a4-0000-4000-8000-000000000001"), 1, 7)
DONE = Outcome(status="complete", content="Once upon a time")


def follow(
    live: LiveReply,
    on_step: Callable[[Progress], None],
    offset: int = 0,
    leaving: Callable[[], bool] = lambda: False,
    pause_s: float = 0,
) -> list[Progress]:
    """All steps; `on_step` stands for the thread that writes."""

    async def collect() -> list[Progress]:
        steps: list[Progress] = []
        async for step in follow_reply(live, offset, leaving, lambda: pause_s):
            steps.append(step)
            on_step(step)
        return steps

    return asyncio.run(collect())


def test_a_follower_gets_each_piece_and_in_the_end_the_outcome() -> None:
    live = LiveReply(ATTEMPT)
    live.append("Once")

    def write(step: Progress) -> None:
        if step.offset == len("Once"):
            live.append(" upon")
        elif step.outcome is None:
            live.append(" a time")
            live.finish(DONE)

    steps = follow(live, write)
    assert [step.text for step in steps] == ["Once", " upon", " a time"]
    assert [step.outcome for step in steps] == [None, None, DONE]
    assert steps[-1].offset == len(DONE.content)


def test_the_end_does_not_wait_for_a_pause_between_two_pieces() -> None:
    live = LiveReply(ATTEMPT)
    live.append(DONE.content)
    steps = follow(live, lambda _: None if live.outcome else live.finish(DONE), pause_s=3600)
    assert steps[-1].outcome == DONE


def test_reasoning_comes_apart_from_the_text_and_wakes_a_follower() -> None:
    live = LiveReply(ATTEMPT)
    live.think("They")

    def write(step: Progress) -> None:
        if step.reasoning == "They":
            live.think(" greet")
        elif step.reasoning:
            live.append("Hello")
        elif step.outcome is None:
            live.finish(DONE)

    steps = follow(live, write)
    assert [step.reasoning for step in steps] == ["They", " greet", "", ""]
    assert [step.text for step in steps] == ["", "", "Hello", ""]


def test_text_that_turned_out_to_be_reasoning_is_taken_back() -> None:
    live = LiveReply(ATTEMPT)
    live.append("a plan")

    def write(step: Progress) -> None:
        if step.text == "a plan":
            live.retract()
            live.append("It is 4.")
            live.finish(DONE)

    first, second = follow(live, write)
    assert (first.text, first.begins_anew) == ("a plan", False)
    assert (second.text, second.reasoning, second.begins_anew) == ("It is 4.", "a plan", True)
    assert second.appended_text == "</think>\n\nIt is 4."


def test_a_follower_that_comes_back_gets_all_reasoning_again() -> None:
    live = LiveReply(ATTEMPT)
    live.think("They greet")
    live.append("Hello")
    live.finish(DONE)
    [step] = follow(live, lambda _: None, offset=3)
    assert (step.reasoning, step.text) == ("They greet", "lo")


def test_a_follower_that_comes_back_gets_the_rest_only() -> None:
    live = LiveReply(ATTEMPT)
    live.append(DONE.content)
    live.finish(DONE)
    [step] = follow(live, lambda _: None, offset=4)
    assert (step.text, step.outcome) == (" upon a time", DONE)


def test_a_follower_of_a_reply_that_is_handed_over_gets_no_outcome() -> None:
    live = LiveReply(ATTEMPT)
    live.append("Once")
    steps = follow(live, lambda _: live.hand_over())
    assert [step.text for step in steps] == ["Once", ""]
    assert steps[-1].outcome is None


def test_followers_end_when_the_process_is_stopping() -> None:
    stopping: list[bool] = []
    live = LiveReply(ATTEMPT)
    live.append("Once")
    steps = follow(live, lambda _: stopping.append(True), leaving=lambda: bool(stopping))
    assert [step.text for step in steps] == ["Once"]
    assert wait_for_outcome(live, lambda: True) is None


def test_who_waits_for_the_whole_reply_gets_its_outcome() -> None:
    live = LiveReply(ATTEMPT)
    live.finish(DONE)
    assert wait_for_outcome(live, lambda: False) == DONE
