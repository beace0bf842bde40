"""The page has a text for everything that the site may name."""

from __future__ import annotations

from typing import get_args

from shared.models import SCOPES, Action, Quota
from web.pages.texts import SOURCE, read_texts


def test_each_action_each_scope_and_each_quota_has_a_text() -> None:
    keys = [f"audit.{action}" for action in get_args(Action)]
    keys += [f"scope.{scope}" for scope in SCOPES] + [f"usage.{name}" for name in get_args(Quota)]
    assert [key for key in keys if key not in read_texts(SOURCE)] == []
