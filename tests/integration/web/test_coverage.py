"""What a conversation's summaries say of its messages: those that episodes cover."""

from __future__ import annotations

from typing import Any

from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.web.rows import add_episode
from web.identity.identification import LOCAL_USER


def covered(browser: Browser, talk: Conversing) -> Any:
    return browser.get(f"/api/v1/conversations/{talk.conversation_id}/summaries")["episodes"]


def test_episodes_side_by_side_are_one_span_and_a_deleted_one_is_none(browser: Browser) -> None:
    talk = Conversing(browser.context.services, user_id=LOCAL_USER)
    for _ in range(6):
        talk.round()
    assert covered(browser, talk) == []
    add_episode(browser, talk, 0, 3)
    add_episode(browser, talk, 4, 5)
    last = add_episode(browser, talk, 8, 9)
    assert covered(browser, talk) == [{"start": 0, "end": 5}, {"start": 8, "end": 9}]
    assert browser.client.delete(f"/api/v1/episodes/{last}").status_code == 200
    assert covered(browser, talk) == [{"start": 0, "end": 5}]
