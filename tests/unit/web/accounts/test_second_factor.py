"""Which codes are good at what time."""

from __future__ import annotations

import pyotp
import pytest

from web.accounts.second_factor import find_step

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # noqa: S105
NOW = 1_800_000_015.0
STEP = 60_000_000


@pytest.mark.parametrize("apart", [-1, 0, 1])
def test_codes_of_now_and_of_the_neighbours_are_good(apart: int) -> None:
    code = pyotp.TOTP(SECRET).generate_otp(STEP + apart)
    assert find_step(SECRET, code, NOW) == STEP + apart


@pytest.mark.parametrize("apart", [-2, 2, 10])
def test_older_and_later_codes_are_not(apart: int) -> None:
    code = pyotp.TOTP(SECRET).generate_otp(STEP + apart)
    assert find_step(SECRET, code, NOW) is None


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "12345\n", "-12345"])
def test_what_is_no_code_is_wrong(code: str) -> None:
    assert find_step(SECRET, code, NOW) is None
