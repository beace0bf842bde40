from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.llm.retry_after import parse_retry_after, read_retry_after

NOW = datetime(2026, 11, 21, 14, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("-3", 0),
        ("Sat, 21 Nov 2026 14:01:30 GMT", 90),
        ("Sat, 21 Nov 2026 13:00:00 GMT", 0),
        ("soon", None),
        ("", None),
    ],
)
def test_both_forms_of_the_header_are_read(value: str, seconds: float | int | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


def test_an_error_without_headers_asks_for_nothing() -> None:
    assert read_retry_after(ValueError()) is None


def test_the_headers_that_litellm_keeps_apart_are_read() -> None:
    error = ValueError()
    error.litellm_response_headers = {"retry-after": "3"}  # type: ignore[attr-defined]

    assert read_retry_after(error) == 3
