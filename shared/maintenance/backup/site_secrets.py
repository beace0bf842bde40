"""The secrets of a site that are not in its database: the key, its other files, `.env`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from shared.local_secrets import find_secret_key
from shared.maintenance.backup.described_files import Described
from shared.settings import Settings

KEY = "secret-key"
FILES = ("local-token", "flower-password")  # of DATA_DIR
ENV = ".env"
RESTORED = ".restored"  # the name's end until the secret is in its place

logger = logging.getLogger(__name__)

MAX_CHARS = 1_000_000
Secret = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARS)]


class SiteSecrets(Described):
    """Without the key second factors and keys of models cannot be read."""

    secret_key: Secret = Field(alias="secret-key")
    local_token: Secret | None = Field(None, alias="local-token")
    flower_password: Secret | None = Field(None, alias="flower-password")
    env: Secret | None = Field(None, alias=".env")


def read_secrets(settings: Settings) -> SiteSecrets:
    """Read the secrets.

    A file of another account is left out, as root's `.env` is for a worker; and what is no text.
    """
    secrets = {KEY: find_secret_key(settings)}
    paths = {name: settings.data_dir / name for name in FILES} | {ENV: Path(ENV)}
    for name, path in paths.items():
        try:
            if path.is_file() and 0 < path.stat().st_size <= MAX_CHARS:
                secrets[name] = path.read_text()
        except (PermissionError, UnicodeDecodeError):
            logger.warning("backup.secret_left_out", extra={"file": name})
    return SiteSecrets.model_validate(secrets)


class RestoredSecrets:
    """Secrets that lie beside their places, until the database is restored.

    An `.env` of this site stays, and SECRET_KEY of the environment cannot be changed from here.
    """

    def __init__(self, settings: Settings, secrets: SiteSecrets) -> None:
        self._settings, self._secrets = settings, secrets
        self._env = Path(ENV) if not Path(ENV).exists() else settings.data_dir / "env-of-backup"

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Write what may fail, such as on a full disk. It goes again if the block fails."""
        texts = self._secrets.model_dump(by_alias=True, exclude_none=True)
        try:
            for name, text in texts.items():
                path = self._place_beside(name)
                path.unlink(missing_ok=True)  # of a try that was killed
                path.touch(mode=0o600, exist_ok=False)
                path.write_text(text if name == ENV else text.strip() + "\n")
            yield
        except BaseException:
            for name in texts:
                self._place_beside(name).unlink(missing_ok=True)
            raise

    def put_in_place(self) -> list[str]:
        """Return sentences for whoever has to do something."""
        for name in self._secrets.model_dump(by_alias=True, exclude_none=True):
            self._place_beside(name).replace(self._place(name))
        sentences = []
        secret_key = self._settings.secret_key.get_secret_value()
        if secret_key and secret_key != self._secrets.secret_key.strip():
            sentences.append(f"Set SECRET_KEY to what {self._settings.data_dir / KEY} holds now.")
        if self._secrets.env is not None:
            sentences.append(f"The backup's .env is {self._env}.")
        return sentences

    def _place(self, name: str) -> Path:
        return self._env if name == ENV else self._settings.data_dir / name

    def _place_beside(self, name: str) -> Path:
        place = self._place(name)
        return place.with_name(place.name + RESTORED)
