"""Slots for work that is done at once."""

from __future__ import annotations

import pytest

from shared.errors import BusyError, TooManyAtOnceError, TooManyRoundsError
from shared.models import UserId
from shared.rounds.limits import ConcurrencyLimit

ANN, BEN, CAT = UserId("ann"), UserId("ben"), UserId("cat")


def limit(total: int, per_user: int) -> ConcurrencyLimit:
    return ConcurrencyLimit(total, per_user, what="searches are running")


def test_one_user_cannot_take_all_slots() -> None:
    slots = limit(total=4, per_user=2)
    slots.acquire(ANN)
    slots.acquire(ANN)
    with pytest.raises(TooManyAtOnceError) as refused:
        slots.acquire(ANN)
    assert (refused.value.http_status, refused.value.retry_after_s) == (429, 3.0)
    assert "of your searches are running" in refused.value.message
    slots.acquire(BEN)


def test_who_comes_when_all_slots_are_taken_is_refused_as_busy() -> None:
    slots = limit(total=2, per_user=2)
    slots.acquire(ANN)
    slots.acquire(BEN)
    with pytest.raises(BusyError) as refused:
        slots.acquire(CAT)
    assert (type(refused.value), refused.value.http_status) == (BusyError, 503)


def test_a_refusal_takes_no_slot_and_a_released_one_is_free_again() -> None:
    slots = limit(total=2, per_user=1)
    slots.acquire(ANN)
    for _ in range(3):
        with pytest.raises(TooManyAtOnceError):
            slots.acquire(ANN)
    slots.acquire(BEN)
    slots.release(ANN)
    slots.acquire(ANN)
    with pytest.raises(BusyError):
        slots.acquire(CAT)


def test_a_users_share_may_be_larger_than_there_are_slots() -> None:
    slots = limit(total=1, per_user=12)
    slots.acquire(ANN)
    with pytest.raises(BusyError):
        slots.acquire(BEN)


def test_a_slot_is_released_when_its_block_ends_in_an_error() -> None:
    slots = limit(total=1, per_user=1)
    with pytest.raises(ValueError, match="broken"), slots.slot(ANN):
        raise ValueError("broken")
    with slots.slot(BEN), pytest.raises(BusyError):
        slots.acquire(CAT)


def test_a_kind_of_work_may_have_a_refusal_of_its_own() -> None:
    slots = ConcurrencyLimit(1, 1, what="replies are being written", too_many=TooManyRoundsError)
    slots.acquire(ANN)
    with pytest.raises(TooManyRoundsError):
        slots.acquire(ANN)
