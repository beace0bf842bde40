"""What is written down in several places must agree: settings, commands, images.

There may be no container engine where these tests run, so they hold the files to the Procfile
and the settings. They say nothing about whether an image builds.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import SecretStr

from shared.settings import Settings, read_settings
from tests.deploy_files import (
    MIGRATE,
    PODS,
    PROCESSES,
    ROOT,
    container_of,
    environment_of_web_pods,
    interpolated_by_compose,
    read_compose,
    read_compose_with_proxy,
    read_example,
    read_shell_variables,
    secrets_of,
)


def test_the_example_lists_every_setting_and_every_variable_of_the_commands() -> None:
    settings = {name.upper() for name in Settings.model_fields}
    commands = read_shell_variables((ROOT / "Procfile").read_text())
    assert read_example().keys() == settings | commands.keys() | interpolated_by_compose().keys()


def test_there_are_no_more_settings_than_somebody_reads() -> None:
    """What nobody would set is a constant beside its use."""
    assert len(Settings.model_fields) <= 81


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_the_example_gives_the_default_of_a_setting(name: str) -> None:
    value = read_example()[name.upper()]
    default = Settings.model_fields[name].default
    if value:
        assert getattr(read_settings(**{name: value}), name) == default
    else:
        setting = getattr(Settings(), name)
        assert (setting.get_secret_value() if isinstance(setting, SecretStr) else setting) in (
            "",
            (),
            None,
        )


def test_the_example_gives_the_defaults_that_stand_in_the_commands() -> None:
    defaults = read_shell_variables((ROOT / "Procfile").read_text())
    assert defaults.items() <= read_example().items()


def test_both_migrate_as_a_job_of_its_own() -> None:
    assert read_compose()["migrate"]["command"] == MIGRATE
    assert read_compose()["migrate"]["restart"] == "no"
    # Pods are replaced one by one: both versions run on the schema meanwhile.
    assert container_of("migrate")["command"] == [*MIGRATE, "upgrade", "before"]


def test_the_owner_of_the_database_is_known_to_migrations_and_backups_alone() -> None:
    owner = "migration_database_url"
    with_owner = {
        name for name, service in read_compose().items() if owner in service.get("secrets", ())
    }
    assert with_owner == {"migrate", "worker-backup"}
    assert {name for name in (*PODS, "migrate") if "migration" in secrets_of(name)} == {"migrate"}


def test_the_settings_of_both_are_accepted_together() -> None:
    for environment, mode in (
        (read_compose()["web"]["environment"], "password"),
        (read_compose_with_proxy()["web"]["environment"], "proxy"),
        (environment_of_web_pods(), "password"),
    ):
        values: Any = {name.lower(): by_default(str(value)) for name, value in environment.items()}
        values |= {"secret_key": "x" * 32} if "secret_key" in values else {}
        assert Settings(**values).auth_mode == mode


def by_default(text: str) -> str:
    """What Compose makes of a text where `.env` says nothing."""
    filled = re.sub(r"\$\{\w+:-([^{}]*)\}", r"\1", text)
    return filled if filled == text else by_default(filled)


def test_who_signs_and_who_encrypts_has_the_same_key() -> None:
    """`web` signs sessions and stores the secrets of webhooks; `worker-llm` signs with those.

    `worker-backup` has it to keep it.
    """
    services = read_compose()
    with_key = {name for name in PODS if "secret_key" in services[name]["secrets"]}
    assert with_key == {"web", "worker-llm"}
    assert "webhooks" in PROCESSES["worker-llm"]
    assert {name for name in PODS if "signing" in secrets_of(name)} == with_key
