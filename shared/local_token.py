"""The token of a site on one's own machine: other accounts of the machine do not know it."""

from __future__ import annotations

import secrets
from pathlib import Path

from shared.secret_file import read_or_make_secret
from shared.settings import Settings

OFF = "off"


def find_local_token(settings: Settings, data_dir: Path | None = None) -> str | None:
    """LOCAL_TOKEN, or one that is made at the first start. None: no token is asked for.

    `data_dir` is DATA_DIR, where it is known better than by the settings.
    """
    chosen = settings.local_token.get_secret_value()
    if settings.auth_mode != "local" or chosen == OFF:
        return None
    path = token_path(data_dir or settings.data_dir)
    return chosen or read_or_make_secret(path, secrets.token_urlsafe)


def token_path(data_dir: Path) -> Path:
    return data_dir / "local-token"
