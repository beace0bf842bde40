"""Names of attempts at replies, as streams show them.

Their fencing tokens are numbers of a sequence that all users share. A name does not tell how many
others were given.
"""

from __future__ import annotations

import functools
import hmac
from collections.abc import Callable

from shared.services import Services
from shared.store import ids

NAME_CHARS = 16


class AttemptNames:
    """Names attempts, the same way in every process of a site."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @functools.cached_property
    def name(self) -> Callable[[int], str]:
        """The name of a fencing token: 16 hexadecimal digits. The first call asks the database."""
        with self._services.database.transaction() as connection:
            return functools.partial(_name, ids.find_salt(connection).encode())


def _name(key: bytes, fencing_token: int) -> str:
    return hmac.digest(key, b"%d" % fencing_token, "sha256").hex()[:NAME_CHARS]
