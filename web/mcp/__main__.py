"""`python -m web.mcp`, or `bin/mcp`: the protocol over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path

from dotenv import load_dotenv

from shared.local_secrets import OFF, token_path
from shared.logs import configure_logging
from shared.settings import Settings, SettingsError, host_and_port, read_settings
from web.mcp.site_client import SiteClient
from web.mcp.stdio import serve


def main() -> None:
    load_dotenv(Path(".env"))
    settings = read_settings()
    configure_logging("WARNING", settings.log_format)  # on standard error
    asyncio.run(serve(choose_site(settings)))


def choose_site(settings: Settings) -> SiteClient:
    """MCP_SITE with MCP_TOKEN, or else the site of this machine with the token that it made.

    Raises `SettingsError` when there is no token to show.
    """
    token = settings.mcp_token.get_secret_value()
    if settings.mcp_site:
        if not token:
            raise SettingsError("MCP_TOKEN is not set: make an API token on the site's page.")
        return SiteClient(settings.mcp_site, token)
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
