"""The Retry-After header: the seconds that a provider asks us to wait."""

from __future__ import annotations

import email.utils
import math
from datetime import UTC, datetime
from typing import Any

LONGEST_S = 30 * 86_400.0


def read_retry_after(exc: Exception) -> float | None:
    """Seconds to wait, by the headers of an error's response; None without the header."""
    response: Any = getattr(exc, "response", None)
    # litellm keeps the provider's headers separately. Its substitute response often has none.
    for headers in (
        getattr(exc, "litellm_response_headers", None),
        getattr(response, "headers", None),
    ):
        value = headers.get("retry-after") if headers else None
        if value is not None:
            return parse_retry_after(str(value), datetime.now(UTC))
    return None


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Seconds, from either form of the header: seconds or a date (RFC 9110, 10.2.3).

    None for any other value. A month at most.
    """
    try:
        seconds = float(value)
    except ValueError:
        seconds = _until(value, now)
    return None if math.isnan(seconds) else min(max(0.0, seconds), LONGEST_S)


def _until(value: str, now: datetime) -> float:
    """NaN for what is no date."""
    try:
        at = email.utils.parsedate_to_datetime(value)
        return (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds()
    except (ValueError, OverflowError):
        return math.nan
