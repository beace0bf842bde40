"""The secrets of a site that are not in its database: the key, its other files, `.env`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from shared.local_secrets import find_secret_key
from shared.settings import Settings

KEY = "secret-key"
FILES = ("local-token", "flower-password")  # of DATA_DIR
ENV = ".env"

logger = logging.getLogger(__name__)


def read_secrets(settings: Settings) -> dict[str, str]:
    """Read the secrets, as texts by name.

    Without the key second factors and keys of models could not be read. A file of another account
    is left out, as root's `.env` is for a worker.
    """
    secrets = {KEY: find_secret_key(settings)}
    paths = {name: settings.data_dir / name for name in FILES} | {ENV: Path(ENV)}
    for name, path in paths.items():
        try:
            if path.is_file():
                secrets[name] = path.read_text()
        except PermissionError:
            logger.warning("backup.secret_left_out", extra={"file": name})
    return secrets


def write_secrets(settings: Settings, secrets: Mapping[str, str]) -> list[str]:
    """Put them in place, and return sentences for whoever has to do something.

    An `.env` of this site stays, and SECRET_KEY of the environment cannot be changed from here.
    """
    sentences = []
    for name in (KEY, *FILES):
        if name in secrets:
            _write(settings.data_dir / name, secrets[name].strip() + "\n")
    secret_key = settings.secret_key.get_secret_value()
    if secret_key and secret_key != secrets[KEY].strip():
        sentences.append(f"Set SECRET_KEY to what {settings.data_dir / KEY} holds now.")
    if ENV in secrets:
        target = Path(ENV) if not Path(ENV).exists() else settings.data_dir / "env-of-backup"
        _write(target, secrets[ENV])
        sentences.append(f"The backup's .env is {target}.")
    return sentences


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(text)
