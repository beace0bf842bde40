"""Webhooks: which addresses may be called, and what follows from an answer."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from shared.models import Attempt
from shared.policy.addresses import is_host, is_public_or_within, read_address

MAX_URL_CHARS = 2000
# Before the second try of a delivery and each later one: some hours for a receiver that is being
# repaired, then days for one that nobody has noticed. Who wants a dead one later sends it again.
RETRY_WAITS_S = (5.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 50_400.0, 72_000.0, 86_400.0)
MOST_TRIES = 1 + len(RETRY_WAITS_S)
FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 300.0
LONGEST_RETRY_AFTER_S = 86_400.0
JITTER = 0.2  # of a wait, added or taken away


class UnusableUrlError(ValueError):
    """The message says why, and completes the sentence "url: …"."""


@dataclass(frozen=True, kw_only=True)
class TargetRule:
    """Which targets this site's webhooks may have."""

    ports: tuple[int, ...]
    #: Networks that are allowed although they are not public.
    networks: tuple[str, ...]
    #: The site has one user, who may also name servers on the same machine.
    is_local: bool


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where a request goes. `host` is a name or an address without brackets."""

    scheme: str
    host: str
    port: int
    #: Path and query.
    path: str

    @property
    def is_loopback(self) -> bool:
        """By its name alone: no other name may lead to this machine."""
        address = read_address(self.host)
        return self.host == "localhost" or (address is not None and address.is_loopback)

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        default = {"https": 443, "http": 80}[self.scheme]
        return host if self.port == default else f"{host}:{self.port}"


def read_target(url: str, rule: TargetRule) -> Target:
    """Raises `UnusableUrlError`. Names are looked up, and addresses checked, when it is called."""
    if len(url) > MAX_URL_CHARS:
        raise UnusableUrlError(f"is longer than {MAX_URL_CHARS} characters.")
    if not (url.isascii() and url.isprintable()) or " " in url or "\\" in url:
        raise UnusableUrlError("holds characters that no address has; write names in ASCII.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as exc:
        raise UnusableUrlError("is not an address.") from exc
    if parts.scheme not in {"https", "http"} or not parts.hostname:
        raise UnusableUrlError("must begin with https:// and a host.")
    if not is_host(parts.hostname):
        raise UnusableUrlError("names a host that no server can have.")
    if "@" in parts.netloc or "#" in url:
        raise UnusableUrlError("must have no user, password or fragment.")
    target = Target(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port if port is not None else {"https": 443, "http": 80}[parts.scheme],
        path=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )
    _check(target, rule)
    return target


def _check(target: Target, rule: TargetRule) -> None:
    if target.is_loopback and rule.is_local:
        if target.port < 1024 and target.port not in rule.ports:
            raise UnusableUrlError("names a port that is not allowed.")
        return
    if target.scheme != "https":
        raise UnusableUrlError("must begin with https://.")
    if target.port not in rule.ports:
        raise UnusableUrlError("names a port that is not allowed.")
    address = read_address(target.host)
    if target.host == "localhost" or (address and not is_public_or_within(address, rule.networks)):
        raise UnusableUrlError("names an address that is not public.")


def may_call(target: Target, address: str, rule: TargetRule) -> bool:
    """Whether `address`, to which the target's name leads, may be called."""
    parsed = read_address(address)
    if parsed is None:
        return False
    if target.is_loopback and rule.is_local:
        return parsed.is_loopback
    return is_public_or_within(parsed, rule.networks)


def next_try_s(attempt: Attempt, attempts: int, jitter: float) -> float | None:
    """Seconds until the next try of a delivery that was tried `attempts` times. None: no more.

    `jitter` is between 0 and 1. The wait is at least what the receiver asks for.
    """
    if attempts >= MOST_TRIES:
        return None
    wait = RETRY_WAITS_S[attempts - 1] * (1 - JITTER + 2 * JITTER * jitter)
    return max(wait, min(attempt.retry_after_s or 0.0, LONGEST_RETRY_AFTER_S))


def pause_s(attempt: Attempt, failures: int, jitter: float) -> float:
    """Seconds without any request to a webhook that failed `failures` times in a row.

    So a receiver that is down costs the workers little, however many events wait for it.
    """
    full = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(failures - 1, 10))
    wait = full * (1 - JITTER + 2 * JITTER * jitter)
    return max(wait, min(attempt.retry_after_s or 0.0, LONGEST_RETRY_AFTER_S))
