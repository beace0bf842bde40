"""The user's time zone: a field of the request must be valid; a browser's header is a hint."""

from __future__ import annotations

from datetime import tzinfo

from flask import Request

from shared.errors import InvalidRequestError
from shared.models import UserId
from shared.services import Services
from shared.store import users
from shared.time_zones import is_time_zone, zone_of

HEADER = "X-Time-Zone"


def read_time_zone(request: Request, field: str | None) -> str | None:
    """The field `time_zone`, else the header.

    An unknown zone in the field raises `InvalidRequestError`. In the header it is ignored: a
    browser may know zones that this machine does not.
    """
    if field is not None:
        if not is_time_zone(field):
            raise InvalidRequestError("time_zone: not a name of the IANA list (Europe/Lisbon).")
        return field
    hint = request.headers.get(HEADER, "")
    return hint if is_time_zone(hint) else None


def find_zone(services: Services, user_id: UserId) -> tzinfo:
    with services.database.transaction(user=user_id) as connection:
        return zone_of(users.find_time_zone(connection, user_id))
