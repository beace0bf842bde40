from __future__ import annotations

import pytest

from shared.agents import get_agent, list_agents, parse_agent
from shared.errors import InvalidRequestError


def test_every_agent_has_a_title_a_description_and_a_prompt() -> None:
    assert {agent.name for agent in list_agents()} == {"coder", "general", "tutor"}
    for agent in list_agents():
        assert 3 <= len(agent.title) <= 30
        assert 10 <= len(agent.description) <= 100
        assert agent.prompt.startswith("You are")
        assert "---" not in agent.prompt


@pytest.mark.parametrize("name", ["", "nobody", "General", "../agents/general", "general.md", "."])
def test_an_unknown_name_is_refused_and_the_known_ones_are_told(name: str) -> None:
    with pytest.raises(InvalidRequestError, match="coder, general, tutor"):
        get_agent(name)


def test_an_agent_is_found_by_its_name() -> None:
    assert get_agent("tutor").title == "Tutor"


@pytest.mark.parametrize("text", ["", "You are…", "---\ntitle: X\ndescription: Y\n---\n \n"])
def test_a_file_without_its_parts_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"needs|unpack"):
        parse_agent("broken", text)


def test_the_default_is_listed_first() -> None:
    names = [agent.name for agent in list_agents()]
    assert names == ["general", "coder", "tutor"]
