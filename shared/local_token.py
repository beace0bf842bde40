"""The token of a local site. It keeps other accounts of the same machine out."""

from __future__ import annotations

import secrets
from pathlib import Path

from shared.secret_file import read_or_make_secret
from shared.settings import Settings

OFF = "off"


def find_local_token(settings: Settings, data_dir: Path | None = None) -> str | None:
    """LOCAL_TOKEN, or a token that is made at the first start. None: no token is needed.

    `data_dir` replaces DATA_DIR.
    """
    chosen = settings.local_token.get_secret_value()
    if settings.auth_mode != "local" or chosen == OFF:
        return None
    path = token_path(data_dir or settings.data_dir)
    return chosen or read_or_make_secret(path, secrets.token_urlsafe)


def token_path(data_dir: Path) -> Path:
    return data_dir / "local-token"
