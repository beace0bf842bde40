"""`python -m web.mcp [SITE]`, or `bin/mcp [SITE]`: the protocol over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import click

from shared.local_secrets import OFF, token_path
from shared.logs import configure_logging
from shared.settings import (
    LOOPBACK,
    Settings,
    SettingsError,
    host_and_port,
    load_env_file,
    read_settings,
)
from web.mcp.site_client import SiteClient
from web.mcp.stdio import serve


@click.command()
@click.argument("site", default="")
def main(site: str) -> None:
    """Pass on the memory of SITE (https://…), which MCP_TOKEN opens; else of this machine's."""
    load_env_file(Path(".env"))
    settings = read_settings()
    configure_logging("WARNING", settings.log_format)  # on standard error
    asyncio.run(serve(choose_site(settings, site)))


def choose_site(settings: Settings, site: str = "") -> SiteClient:
    """That site with MCP_TOKEN, or else the site of this machine with the token that it made.

    Raises `SettingsError` when there is no token to show, or when others could read it.
    """
    token = settings.mcp_token.get_secret_value()
    if site:
        parts = urlsplit(site)
        if not (parts.scheme == "https" or parts.hostname in LOOPBACK):
            raise SettingsError(
                f"{site} must begin with https://, or the token could be read on its way."
            )
        if not token:
            raise SettingsError("MCP_TOKEN is not set: make an API token on the site's page.")
        return SiteClient(site.rstrip("/"), token)
    url = f"http://{host_and_port(settings.bind, settings.port)}"
    return SiteClient(url, token or _read_own_token(settings))


def _read_own_token(settings: Settings) -> str | None:
    chosen = settings.local_token.get_secret_value()
    if chosen:
        return None if chosen == OFF else chosen
    path = token_path(settings.data_dir)
    try:
        return path.read_text().strip()
    except OSError as exc:
        raise SettingsError(f"{path} cannot be read. Start the site, or set MCP_TOKEN.") from exc


if __name__ == "__main__":
    main()
