"""Which addresses this site's webhooks may have."""

from __future__ import annotations

from shared.errors import InvalidRequestError
from shared.policy.webhooks import TargetRule, UnusableUrlError, read_target
from shared.settings import Settings


def target_rule(settings: Settings) -> TargetRule:
    return TargetRule(
        ports=settings.webhook_ports,
        networks=settings.webhook_private_networks,
        is_local=settings.auth_mode == "local",
    )


def check_url(url: str, settings: Settings) -> None:
    """Refuse a URL that no webhook may have. Raises `InvalidRequestError`.

    Names are looked up when they are called.
    """
    try:
        read_target(url, target_rule(settings))
    except UnusableUrlError as exc:
        raise InvalidRequestError(f"url: {exc}") from exc
