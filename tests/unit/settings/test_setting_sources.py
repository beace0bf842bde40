"""Where each setting comes from, and what stands in `.env` that is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from shared.settings import Settings, read_settings
from shared.settings.process_variables import NEEDED_BY
from shared.settings.setting_sources import (
    EnvFile,
    SettingSource,
    Variables,
    list_misspelt,
    list_sources,
    list_unknown_lines,
    read_env_text,
    read_variables,
)

KEY = "sk-a-key-that-nobody-may-read"
NO_FILE = EnvFile()


def sources(env_file: EnvFile = NO_FILE, **environment: str) -> dict[str, tuple[str, str]]:
    """Value and source of each setting, as they are read with these variables."""
    variables = Variables(environment=environment, env_file=env_file)
    texts = {**env_file.values, **environment}
    values = {name.lower(): text for name, text in texts.items() if text}
    listed = list_sources(read_settings(**values), variables)
    return {setting.name: (setting.value, setting.source) for setting in listed}


def in_file(**values: str) -> EnvFile:
    return read_env_text("\n".join(f"{name}={text}" for name, text in values.items()))


def test_each_setting_is_listed_once_with_its_default() -> None:
    listed = list_sources(read_settings(), Variables(environment={}))
    names = [setting.name for setting in listed]
    assert len(names) == len(set(names))
    assert {setting.source for setting in listed} == {"default"}
    values = {setting.name: setting.value for setting in listed}
    assert (values["PORT"], values["LLM_MODEL"], values["SECRET_KEY"], values["WEBHOOK_PORTS"]) == (
        "8000", "offline/extractive", "(not set)", "443,8443",
    )  # fmt: skip


def test_the_environment_wins_over_the_file_and_an_empty_variable_is_none() -> None:
    env_file = in_file(PORT="9000", LOG_LEVEL="DEBUG", LEASE_S="20", FORMATION="")
    by_name = sources(env_file, PORT="9001", LOG_LEVEL="DEBUG", LEASE_S="", DB_POOL_SIZE="9")
    assert by_name["PORT"] == ("9001", "environment")
    # as in a process of `make run`, which is given what stands in the file
    assert by_name["LOG_LEVEL"] == ("DEBUG", ".env")
    assert by_name["LEASE_S"][1] == ".env"
    assert by_name["DB_POOL_SIZE"] == ("9", "environment")
    assert by_name["FORMATION"] == ("(not set)", "default")


def test_a_setting_is_found_in_small_letters_and_under_its_other_name() -> None:
    variables = Variables(environment={"port": "8000", "OPENAI_API_KEY": KEY})
    listed = list_sources(read_settings(llm_api_key=KEY), variables)
    assert SettingSource(name="PORT", value="8000", source="environment") in listed
    assert SettingSource(name="LLM_API_KEY", value="(set)", source="environment") in listed


def test_a_value_of_a_file_and_one_of_the_running_site_are_told_as_such() -> None:
    variables = Variables(environment={"SECRET_KEY_FILE": "/run/secrets/key"})
    settings = read_settings(secret_key="k" * 40, redis_url="redis://x/0")
    source_names = {setting.name: setting.source for setting in list_sources(settings, variables)}
    assert (source_names["SECRET_KEY"], source_names["REDIS_URL"]) == ("file", "running site")


def test_a_file_that_may_not_be_read_is_not_guessed_about(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff")
    unreadable = read_variables(tmp_path / ".env").env_file
    assert not unreadable.is_readable
    assert sources(unreadable, PORT="9000")["PORT"] == ("9000", "environment or .env")
    assert read_variables(tmp_path / "none").env_file == NO_FILE


def test_of_texts_only_choices_and_defaults_are_told() -> None:
    private = {
        "LLM_API_KEY": KEY,
        "DATABASE_URL": "postgresql://ada:secret@db/chat",
        "OPERATORS": "Ada Lovelace",
        "LLM_MODEL": "ada/model",
        "DATA_DIR": "/home/ada/data",
        "TRUSTED_HOSTS": "ada.example",
    }
    by_name = sources(NO_FILE, **private, LOG_FORMAT="json")
    assert {by_name[name][0] for name in private} == {"(set)"}
    assert by_name["LOG_FORMAT"] == ("json", "environment")
    assert not any(text in str(by_name) for text in ("ada", "Ada", KEY))


def test_a_misspelt_variable_is_named_wherever_it_is() -> None:
    variables = Variables(
        environment={"REDIS_ULR": "x", "LOGLEVEL": "x", "FLOWER_PORT_5555_TCP": "x", "PORTS": "1"},
        env_file=in_file(LLM_MODLE="x", MISTRAL_API_KEY=KEY, LLM_API_KEY_FILE="x", EDITOR="x"),
    )
    assert list(list_misspelt(variables)) == [
        ("LLM_MODLE", "LLM_MODEL"),
        ("REDIS_ULR", "REDIS_URL"),
    ]


def test_lines_that_are_none_of_the_sites_are_told_by_their_number() -> None:
    text = f"# mine\nPORT=1\n\n{KEY}\nAWS_REGION=eu\nexport LOG_LEVEL=INFO\nFLOWER_DEBUG=1\n'x\n"
    env_file = read_env_text(text)
    assert env_file.broken_lines == (4, 8)
    assert list_unknown_lines(Variables(environment={}, env_file=env_file)) == [5]


@pytest.mark.parametrize("name", ["WEB_THREADS", "LLM_DEADLINE_S", "MAX_FOLLOWERS_PER_USER"])
def test_what_is_no_setting_any_more_counts_as_unknown(name: str) -> None:
    env_file = in_file(PORT="1", **{name: "5"})
    assert list_unknown_lines(Variables(environment={}, env_file=env_file)) == [2]


def test_every_secret_says_which_processes_need_it() -> None:
    secrets = {
        n.upper() for n, each in Settings.model_fields.items() if each.annotation is SecretStr
    }
    assert secrets <= set(NEEDED_BY)
