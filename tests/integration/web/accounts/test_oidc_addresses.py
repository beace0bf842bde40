"""Where a provider of sign-in may not be."""

from __future__ import annotations

import pytest
from requests import RequestException

from tests.fakes.webhook_receiver import running_receiver, status
from web.accounts.provider_session import ProviderSession


def test_nothing_is_asked_where_clouds_answer_also_after_a_redirect() -> None:
    with running_receiver() as receiver:
        receiver.answer(status(307, Location="http://[::ffff:169.254.169.254]/latest"))
        for address in (receiver.url, "http://[fd00:ec2::254]/latest"):
            with pytest.raises(RequestException, match="ConnectError"):
                ProviderSession().post(address, data={"a": "b"}, withhold_token=True)
        assert len(receiver.received) == 1
