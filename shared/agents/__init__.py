"""The assistants that a user can choose: one Markdown file each in this folder.

A file begins with a title and a description between `---` lines. The rest is its system prompt.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources

from shared.errors import InvalidRequestError

FENCE = "---\n"
DEFAULT_AGENT = "general"  # listed first; used where none is chosen


@dataclass(frozen=True, kw_only=True)
class Agent:
    """`name` is the file's name without its ending; the page shows `title` and `description`."""

    name: str
    title: str
    description: str
    prompt: str


@functools.cache
def list_agents() -> tuple[Agent, ...]:
    """The default first, the others by title. The files are read once a process."""
    files = (file for file in resources.files(__name__).iterdir() if file.name.endswith(".md"))
    agents = [parse_agent(file.name.removesuffix(".md"), file.read_text("utf-8")) for file in files]
    return tuple(sorted(agents, key=lambda agent: (agent.name != DEFAULT_AGENT, agent.title)))


def get_agent(name: str) -> Agent:
    """Raises `InvalidRequestError`. The name is compared with listed ones; it is never a path."""
    for agent in list_agents():
        if agent.name == name:
            return agent
    known = ", ".join(sorted(agent.name for agent in list_agents()))
    raise InvalidRequestError(f"There is no such agent. Choose one of: {known}.")


def parse_agent(name: str, text: str) -> Agent:
    """Raises `ValueError` or `KeyError` when the front matter or the prompt is missing."""
    before, head, prompt = text.split(FENCE, 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    if before or not prompt.strip():
        raise ValueError(f"{name}.md needs a front matter and a prompt")
    return Agent(
        name=name,
        title=fields.pop("title"),
        description=fields.pop("description"),
        prompt=prompt.strip(),
    )
