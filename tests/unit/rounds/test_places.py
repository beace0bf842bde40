"""Places of open rounds."""

from __future__ import annotations

import pytest

from shared.errors import BusyError, TooManyRoundsError
from shared.models import UserId
from shared.rounds.places import Places

ANN, BEN, CAT = UserId("ann"), UserId("ben"), UserId("cat")


def test_one_user_cannot_take_all_places() -> None:
    places = Places(in_all=4, of_user=2)
    places.take(ANN)
    places.take(ANN)
    with pytest.raises(TooManyRoundsError):
        places.take(ANN)
    places.take(BEN)


def test_who_comes_when_all_places_are_taken_is_refused_as_busy() -> None:
    places = Places(in_all=2, of_user=2)
    places.take(ANN)
    places.take(BEN)
    with pytest.raises(BusyError) as refused:
        places.take(CAT)
    assert not isinstance(refused.value, TooManyRoundsError)


def test_a_refusal_takes_no_place_and_a_left_one_is_free_again() -> None:
    places = Places(in_all=2, of_user=1)
    places.take(ANN)
    for _ in range(3):
        with pytest.raises(TooManyRoundsError):
            places.take(ANN)
    places.take(BEN)
    places.leave(ANN)
    places.take(ANN)
    with pytest.raises(BusyError):
        places.take(CAT)


def test_a_users_share_may_be_larger_than_there_are_places() -> None:
    places = Places(in_all=1, of_user=12)
    places.take(ANN)
    with pytest.raises(BusyError):
        places.take(BEN)
