"""Where a provider of sign-in may not be."""

from __future__ import annotations

import pytest
from requests import RequestException

from shared.outbound.name_lookup import RefusedAddressError
from tests.fakes.webhook_receiver import running_receiver, status
from web.accounts.oidc import CheckedSession


def test_nothing_is_asked_where_clouds_answer_also_after_a_redirect() -> None:
    with running_receiver() as receiver:
        receiver.answer(status(307, Location="http://[::ffff:169.254.169.254]/latest"))
        for address in (receiver.url, "http://[fd00:ec2::254]/latest"):
            with pytest.raises(RequestException) as refused:
                CheckedSession().post(address, data={"a": "b"}, withhold_token=True)
            assert isinstance(refused.value.__cause__, RefusedAddressError)
        assert len(receiver.received) == 1
