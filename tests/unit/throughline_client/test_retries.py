"""What is sent again, and when."""

from __future__ import annotations

import httpx
import pytest

from throughline_client import ApiError, ReplyFailedError, calls
from throughline_client.retries import LONGEST_WAIT_S, is_worth_another, wait_before

READING = calls.facts(None)
CREATING = calls.add_fact("identity", "name", "Ada", None)
CHANGING = calls.correct_fact(1, "Ada")


@pytest.mark.parametrize("call", [READING, CREATING], ids=["reading", "creating"])
@pytest.mark.parametrize(
    "error",
    [
        httpx.ReadTimeout("late"),
        httpx.RemoteProtocolError("cut"),
        ApiError(503, "unavailable", "Later."),
        ApiError(502, "http_error", "Bad gateway"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_is_safe_to_send_twice_is_sent_again(
    call: calls.Call[object], error: Exception
) -> None:
    assert is_worth_another(call, error)


def test_a_change_is_sent_again_only_where_it_cannot_have_been_made() -> None:
    assert is_worth_another(CHANGING, httpx.ConnectError("refused"))
    assert is_worth_another(CHANGING, ApiError(429, "too_many_at_once", "Later."))
    assert not is_worth_another(CHANGING, httpx.ReadTimeout("late"))
    assert not is_worth_another(CHANGING, ApiError(503, "unavailable", "Later."))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422])
def test_a_refusal_is_final(status: int) -> None:
    assert not is_worth_another(READING, ApiError(status, "no", "No."))


def test_a_failed_reply_is_not_asked_for_again() -> None:
    assert not is_worth_another(CREATING, ReplyFailedError(502, "llm_unavailable", "No."))


def test_a_site_that_asks_for_an_hour_is_not_waited_for() -> None:
    assert not is_worth_another(READING, ApiError(429, "quota", "Later.", retry_after_s=3600))


def test_the_site_says_how_long_to_wait() -> None:
    assert wait_before(ApiError(429, "busy", "Later.", retry_after_s=7), 1) == 7


@pytest.mark.parametrize("attempts", [1, 2, 3, 20])
def test_otherwise_the_wait_doubles_up_to_a_limit(attempts: int) -> None:
    longest = min(0.5 * 2 ** (attempts - 1), LONGEST_WAIT_S)
    assert longest / 2 <= wait_before(httpx.ReadTimeout("late"), attempts) <= longest


def test_each_creation_has_a_key_of_its_own() -> None:
    other = calls.add_fact("identity", "name", "Ada", None)
    assert CREATING.key != other.key
    assert calls.chat("Hi", None, None, "mine").headers == {"Idempotency-Key": "mine"}
