"""The prompts of the memory tasks, one file each beside this one.

A file's first line names the task (`Task: facts`), its second the version. A changed prompt
gets a new version: jobs report which one they worked with.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from typing import Literal

Task = Literal["summary", "episode", "facts", "title"]
VERSION = "Version: "


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """`text` goes to the model: the task line and the instructions, without the version."""

    text: str
    version: str


@functools.cache
def load_prompt(task: Task) -> Prompt:
    """Read once in a process. Raises `ValueError` for a file without its two first lines."""
    text = resources.files(__name__).joinpath(f"{task}.md").read_text(encoding="utf-8")
    head, version, *body = text.splitlines()
    if head != f"Task: {task}" or not version.startswith(VERSION):
        raise ValueError(f"{task}.md does not begin with its task and its version")
    return Prompt(text="\n".join([head, *body]).strip(), version=version.removeprefix(VERSION))
