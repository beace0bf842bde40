"""What a first visit is told: where what is said is kept, and which models it is sent to."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from shared.settings import STAND_IN_MODEL, Settings


@dataclass(frozen=True, kw_only=True)
class Whereabouts:
    """Words for `welcome.kept.*` and `welcome.sent.*`."""

    kept: str
    host: str
    sent: str
    models: str


def find_whereabouts(settings: Settings) -> Whereabouts:
    """Who signs in to a site of others is told no name of a host.

    `settings` have the models that operators set up.
    """
    host = urlsplit(settings.database_url).hostname or ""
    place = "machine" if _is_this_machine(host) else "host"
    used = dict.fromkeys((settings.chat_model, settings.effective_memory_model))
    models = [model for model in used if model != STAND_IN_MODEL]
    return Whereabouts(
        kept=place if settings.auth_mode == "local" else "site",
        host=host,
        sent="model" if models else "stand_in",
        models=", ".join(models),
    )


def _is_this_machine(host: str) -> bool:
    """Without a name, Postgres is reached by a socket in the file system."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in {"", "localhost"}
