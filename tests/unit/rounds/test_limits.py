"""Slots for work that is done at once."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager

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


class Stream:
    """What holds a slot, in a cycle, so that only the garbage collector finds it dropped."""

    def __init__(self, slot: AbstractContextManager[None]) -> None:
        slot.__enter__()
        self.slot, self.itself = slot, self


class Collecting(str):
    """A name at whose every look-up garbage is collected."""

    __slots__ = ()

    def __hash__(self) -> int:
        gc.collect()
        return super().__hash__()


@pytest.fixture
def _without_automatic_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_without_automatic_collection")
def test_a_dropped_slot_comes_back_while_another_is_taken() -> None:
    slots = limit(total=2, per_user=1)
    Stream(slots.slot(ANN))
    taking = threading.Thread(target=slots.acquire, args=(UserId(Collecting("ben")),), daemon=True)
    taking.start()
    taking.join(10)
    assert not taking.is_alive()
    assert (slots.count(ANN), slots.count(BEN), slots.in_use) == (0, 1, 1)
