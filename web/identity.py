"""Who sends a request. Accounts of the site's own would be added here."""

from __future__ import annotations

import ipaddress
import unicodedata

from flask import Request

from shared.errors import ForbiddenError, InvalidRequestError, NotSignedInError
from shared.models import UserId
from shared.settings import Settings
from web.callers import ALL_SCOPES, Caller

LOCAL_USER = UserId("local")
USER_HEADER = "X-Forwarded-User"
MAX_USER_CHARS = 200


def current_caller(request: Request, settings: Settings) -> Caller:
    """A browser's session, a proxy's user and the site's own token have all scopes.

    Raises as `current_user`. The operators' views check also that the user is an operator.
    """
    return Caller(current_user(request, settings), ALL_SCOPES)


def current_user(request: Request, settings: Settings) -> UserId:
    """`local` on a local site; behind a proxy, the user that the proxy names.

    Raises `ForbiddenError` for a request that did not come through a trusted proxy,
    `NotSignedInError` when the proxy names nobody, and `InvalidRequestError` for a name that
    cannot be one.
    """
    if settings.auth_mode == "local":
        return LOCAL_USER
    if not _is_trusted(request.remote_addr, settings.trusted_proxies):
        raise ForbiddenError("Requests are accepted from the trusted proxies only.")
    name = read_name(request.headers.get(USER_HEADER, ""))
    if not name:
        raise NotSignedInError
    return UserId(name)


def read_name(header: str) -> str:
    """The user's name in a header; "" if there is none. Raises `InvalidRequestError`.

    WSGI decodes headers as latin-1, but proxies send names in UTF-8. Names are normalised (NFC):
    é as one character or as two is the same name.
    """
    try:
        name = unicodedata.normalize("NFC", header.encode("latin-1").decode("utf-8")).strip()
    except UnicodeError as exc:
        raise InvalidRequestError(f"{USER_HEADER}: the name is not in UTF-8.") from exc
    if len(name) > MAX_USER_CHARS:
        raise InvalidRequestError(f"{USER_HEADER}: at most {MAX_USER_CHARS} characters.")
    if not name.isprintable():
        raise InvalidRequestError(f"{USER_HEADER}: the name has invisible characters.")
    return name


def _is_trusted(address: str | None, trusted: tuple[str, ...]) -> bool:
    if not address:
        return False
    sender = ipaddress.ip_address(address)
    if isinstance(sender, ipaddress.IPv6Address):  # ::ffff:10.0.0.1 is 10.0.0.1
        sender = sender.ipv4_mapped or sender
    return any(sender in ipaddress.ip_network(entry, strict=False) for entry in trusted)
