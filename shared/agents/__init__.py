"""The assistants that a conversation can be held with: one Markdown file each, beside this one.

A file begins with a title and a description between `---` lines; the rest is its system prompt.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources

from shared.errors import InvalidRequestError

FENCE = "---\n"
DEFAULT_AGENT = "general"  # listed first, and taken where nobody is named


@dataclass(frozen=True, kw_only=True)
class Agent:
    """`name` is the file's name; `title` and `description` are for people."""

    name: str
    title: str
    description: str
    prompt: str


@functools.cache
def list_agents() -> tuple[Agent, ...]:
    """All of them, the default first, the others by title; read once in a process."""
    files = (file for file in resources.files(__name__).iterdir() if file.name.endswith(".md"))
    found = [parse_agent(file.name.removesuffix(".md"), file.read_text("utf-8")) for file in files]
    return tuple(sorted(found, key=lambda agent: (agent.name != DEFAULT_AGENT, agent.title)))


def get_agent(name: str) -> Agent:
    """The agent of that name. Only the listed names are compared: a name is never a path."""
    for agent in list_agents():
        if agent.name == name:
            return agent
    known = ", ".join(sorted(agent.name for agent in list_agents()))
    raise InvalidRequestError(f"There is no such agent. Choose one of: {known}.")


def parse_agent(name: str, text: str) -> Agent:
    """Raises `ValueError` when the front matter or the prompt is missing."""
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
