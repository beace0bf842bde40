"""The one place that reads the environment. Every setting is listed in `.env.example`."""

from __future__ import annotations

from shared.settings.flower import publish_flower_options
from shared.settings.models import STAND_IN_MODEL
from shared.settings.reading import (
    Settings,
    current_settings,
    host_and_port,
    read_settings,
)
from shared.settings.types import LOOPBACK, SettingsError
from shared.settings.value_files import load_env_file, publish_files

__all__ = [
    "LOOPBACK",
    "STAND_IN_MODEL",
    "Settings",
    "SettingsError",
    "current_settings",
    "host_and_port",
    "load_env_file",
    "publish_files",
    "publish_flower_options",
    "read_settings",
]
