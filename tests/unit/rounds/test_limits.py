"""Places for work that is done at once."""

from __future__ import annotations

import pytest

from shared.errors import BusyError, TooManyAtOnceError, TooManyRoundsError
from shared.models import UserId
from shared.rounds.limits import ConcurrencyLimit

ANN, BEN, CAT = UserId("ann"), UserId("ben"), UserId("cat")


def limit(in_all: int, of_user: int) -> ConcurrencyLimit:
    return ConcurrencyLimit(in_all, of_user, what="searches are running")


def test_one_user_cannot_take_all_places() -> None:
    places = limit(in_all=4, of_user=2)
    places.take(ANN)
    places.take(ANN)
    with pytest.raises(TooManyAtOnceError) as refused:
        places.take(ANN)
    assert (refused.value.http_status, refused.value.retry_after_s) == (429, 3.0)
    assert "of your searches are running" in refused.value.message
    places.take(BEN)


def test_who_comes_when_all_places_are_taken_is_refused_as_busy() -> None:
    places = limit(in_all=2, of_user=2)
    places.take(ANN)
    places.take(BEN)
    with pytest.raises(BusyError) as refused:
        places.take(CAT)
    assert (type(refused.value), refused.value.http_status) == (BusyError, 503)


def test_a_refusal_takes_no_place_and_a_left_one_is_free_again() -> None:
    places = limit(in_all=2, of_user=1)
    places.take(ANN)
    for _ in range(3):
        with pytest.raises(TooManyAtOnceError):
            places.take(ANN)
    places.take(BEN)
    places.leave(ANN)
    places.take(ANN)
    with pytest.raises(BusyError):
        places.take(CAT)


def test_a_users_share_may_be_larger_than_there_are_places() -> None:
    places = limit(in_all=1, of_user=12)
    places.take(ANN)
    with pytest.raises(BusyError):
        places.take(BEN)


def test_a_place_is_left_when_its_block_ends_in_an_error() -> None:
    places = limit(in_all=1, of_user=1)
    with pytest.raises(ValueError, match="broken"), places.place(ANN):
        raise ValueError("broken")
    with places.place(BEN), pytest.raises(BusyError):
        places.take(CAT)


def test_a_kind_of_work_may_have_a_refusal_of_its_own() -> None:
    places = ConcurrencyLimit(1, 1, what="replies are being written", too_many=TooManyRoundsError)
    places.take(ANN)
    with pytest.raises(TooManyRoundsError):
        places.take(ANN)
