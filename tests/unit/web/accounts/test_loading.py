"""What a site without accounts does not load."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOOK = """
import sys
from pydantic import SecretStr
from shared.settings import Settings
from web.app import create_app

create_app(Settings(
    database_url="postgresql://nowhere", redis_url="redis://nowhere", local_token=SecretStr("off")
))
print(" ".join(name for name in {names} if name in sys.modules))
"""
LIBRARIES = [
    "argon2",
    "authlib",
    "cryptography.fernet",
    "flask_login",
    "flask_wtf",
    "limits",
    "pyotp",
    "segno",
]


@pytest.mark.parametrize("names", [LIBRARIES])
def test_a_local_site_loads_none_of_the_libraries_of_accounts(names: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(names=names)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
