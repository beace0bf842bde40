"""What a caller may do."""

from __future__ import annotations

import pytest

from shared.errors import ForbiddenError
from shared.models import UserId
from web.requests.callers import Caller, check_scopes, needs


@needs("memory:read")
def read() -> None: ...


@needs()
def greet() -> None: ...


def undeclared() -> None: ...


READER = Caller(UserId("ada"), frozenset({"memory:read"}))
CHATTER = Caller(UserId("ada"), frozenset({"chat"}), token_id=1)


def test_a_caller_with_the_scope_may_go_on() -> None:
    check_scopes(READER, read)
    check_scopes(CHATTER, greet)


def test_a_caller_without_the_scope_is_told_which_one_is_missing() -> None:
    with pytest.raises(ForbiddenError, match="memory:read"):
        check_scopes(CHATTER, read)


def test_a_view_that_declares_nothing_is_closed() -> None:
    with pytest.raises(ForbiddenError, match="closed"):
        check_scopes(READER, undeclared)
