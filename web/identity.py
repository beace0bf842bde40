"""Who is asking: one function. Accounts of our own would come in here."""

from __future__ import annotations

import ipaddress

from flask import Request

from shared.errors import ForbiddenError, NotSignedInError
from shared.models import UserId
from shared.settings import Settings

LOCAL_USER = UserId("local")
USER_HEADER = "X-Forwarded-User"
MAX_USER_CHARS = 200


def current_user(request: Request, settings: Settings) -> UserId:
    """`local` on one's own machine; behind a proxy whom it names.

    Raises `ForbiddenError` for a request that did not come through a trusted proxy, and
    `NotSignedInError` when the proxy names nobody.
    """
    if settings.auth_mode == "local":
        return LOCAL_USER
    if not _is_trusted(request.remote_addr, settings.trusted_proxies):
        raise ForbiddenError("Requests are accepted from the trusted proxies only.")
    name = request.headers.get(USER_HEADER, "").strip()
    if not name or len(name) > MAX_USER_CHARS or not name.isprintable():
        raise NotSignedInError
    return UserId(name)


def _is_trusted(address: str | None, trusted: tuple[str, ...]) -> bool:
    if address is None:
        return False
    networks = (ipaddress.ip_network(entry, strict=False) for entry in trusted)
    return any(ipaddress.ip_address(address) in network for network in networks)
