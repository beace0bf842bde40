"""Which site `python -m web.mcp` asks, and with which token."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.settings import SettingsError, read_settings
from web.mcp.__main__ import choose_site
from web.mcp.site_client import SiteClient

TOKEN = "tl_" + "x" * 43


def test_the_site_of_this_machine_is_asked_with_the_token_that_it_made(tmp_path: Path) -> None:
    (tmp_path / "local-token").write_text("its-own-token\n")
    settings = read_settings(data_dir=tmp_path, port=8123)
    assert choose_site(settings) == SiteClient("http://127.0.0.1:8123", "its-own-token")


def test_a_chosen_token_needs_no_file(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, local_token="chosen-by-hand", bind="::1")
    assert choose_site(settings) == SiteClient("http://[::1]:8000", "chosen-by-hand")


def test_an_open_site_gets_no_token(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, local_token="off")
    assert choose_site(settings).token is None


def test_a_named_site_is_asked_with_its_token(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, mcp_token=TOKEN)
    client = choose_site(settings, "https://memory.example.com/")
    assert client == SiteClient("https://memory.example.com", TOKEN)


@pytest.mark.parametrize(
    ("site", "token", "missing"),
    [
        ("", "", "local-token"),
        ("https://memory.example.com", "", "MCP_TOKEN"),
        ("http://memory.example.com", TOKEN, "https://"),
        ("memory.example.com", TOKEN, "https://"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, site: str, token: str, missing: str) -> None:
    with pytest.raises(SettingsError, match=missing):
        choose_site(read_settings(data_dir=tmp_path, mcp_token=token), site)
