"""Codes of the second factor (TOTP, RFC 6238), and recovery codes for when its device is lost."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time

import pyotp
import segno
from markupsafe import Markup

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import InvalidRequestError
from shared.models.accounts import Account
from shared.store.accounts import second_factor
from web.accounts.account_context import account_context
from web.accounts.attempts import count_by_account
from web.process.context import transaction

STEP_S = 30
STEPS_APART = 1  # that the device's clock may be before or after ours
RECOVERY_CODES = 10
RECOVERY_BYTES = 10  # 80 bits, too many to try even with the hashes in hand
WRONG_CODE = "This code is wrong, or was used before. A new one comes every half minute."
_CODE = re.compile(r"[0-9]{6}")


def offer_secret(account: Account) -> None:
    """Make a new key, which waits for its first code."""
    encrypted = account_context().cipher.encrypt(pyotp.random_base32().encode()).decode()
    with transaction() as connection:
        second_factor.offer_secret(connection, account.account_id, encrypted)


def read_secret(account: Account) -> str:
    """The key that is on, or waits for its first code. Raises `InvalidRequestError`."""
    if account.totp_secret is None:
        raise InvalidRequestError("Please begin again.")
    return account_context().cipher.decrypt(account.totp_secret.encode()).decode()


def draw_key(account: Account, secret: str, issuer: str) -> Markup:
    """A QR code for the app, as an inline SVG without styles or scripts."""
    uri = pyotp.TOTP(secret).provisioning_uri(name=account.name, issuer_name=issuer)
    drawn = segno.make(uri, error="m").svg_inline(scale=4, border=4, dark="#000", light="#fff")
    return Markup(drawn)  # noqa: S704 - drawn by segno, which escapes what it writes


def turn_on(account: Account, text: str) -> list[str]:
    """Turn it on with a first code. Returns the recovery codes, which are shown this once."""
    check_code(account, text, with_recovery=False)
    codes = [_make_recovery_code() for _ in range(RECOVERY_CODES)]
    with transaction() as connection:
        second_factor.turn_on(connection, account.account_id, list(map(_hash_code, codes)))
        record(connection, "second_factor.on", account.account_id)
    return codes


def turn_off(account: Account) -> None:
    with transaction() as connection:
        second_factor.turn_off(connection, account.account_id)
        record(connection, "second_factor.off", account.account_id)


def check_code(account: Account, text: str, *, with_recovery: bool = True) -> None:
    """Use a code up. Raises `InvalidRequestError`, and `TooManyAttemptsError` after many."""
    count_by_account(account.account_id)
    code = re.sub(r"[\s-]", "", text[:64]).casefold()
    step = find_step(read_secret(account), code, time.time())
    with transaction() as connection:
        if step is not None:
            is_taken = second_factor.take_step(connection, account.account_id, step)
        else:
            is_taken = with_recovery and _take_recovery_code(connection, account, code)
    if not is_taken:
        raise InvalidRequestError(WRONG_CODE)


def _take_recovery_code(connection: PgConnection, account: Account, code: str) -> bool:
    account_id = account.account_id
    if not second_factor.take_code(connection, account_id, _hash_code(code)):
        return False
    record(connection, "second_factor.recover", account_id, by=account_id)
    return True


def find_step(secret: str, code: str, now: float) -> int | None:
    """The interval that a code belongs to, if it is one of now or of the neighbours."""
    if not _CODE.fullmatch(code):
        return None
    totp, present = pyotp.TOTP(secret), int(now // STEP_S)
    steps = range(present - STEPS_APART, present + STEPS_APART + 1)
    matches = [step for step in steps if hmac.compare_digest(totp.generate_otp(step), code)]
    return max(matches, default=None)


def _make_recovery_code() -> str:
    text = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def _hash_code(code: str) -> bytes:
    return hashlib.sha256(code.replace("-", "").encode("utf-8", "replace")).digest()
