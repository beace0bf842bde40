"""Addresses: the site's own, and the page to go on to."""

from __future__ import annotations

from urllib.parse import urlsplit

from shared.settings import Settings, host_and_port


def site_url(settings: Settings) -> str:
    """Where browsers find the site, without a slash at its end."""
    if settings.public_url:
        return settings.public_url
    everywhere = settings.bind in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    host = "localhost" if everywhere else settings.bind
    return f"http://{host_and_port(host, settings.port)}"


def page_within(text: str | None) -> str:
    """A path of this site; "/" for everything else. Browsers read `\\` as `/` and drop tabs."""
    path = text or "/"
    if not path.startswith("/") or path.startswith("//") or "\\" in path or not path.isprintable():
        return "/"
    parts = urlsplit(path)
    return "/" if parts.scheme or parts.netloc else path
