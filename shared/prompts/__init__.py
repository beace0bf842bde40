"""The prompts of the memory tasks: one Markdown file each in this folder.

The first line of a file names its task (`Task: facts`), the second its version. A changed prompt
gets a new version, and each product of a job records the version that it was made with.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources

from shared.models import Kind

VERSION = "Version: "


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """`text` goes to the model: the task line and the instructions, without the version."""

    text: str
    version: str


@functools.cache
def load_prompt(task: Kind) -> Prompt:
    """Each file is read once a process. Raises `ValueError` when its first two lines are wrong."""
    text = resources.files(__name__).joinpath(f"{task}.md").read_text(encoding="utf-8")
    head, version, *body = text.splitlines()
    if head != f"Task: {task}" or not version.startswith(VERSION):
        raise ValueError(f"{task}.md does not begin with its task and its version")
    return Prompt(text="\n".join([head, *body]).strip(), version=version.removeprefix(VERSION))
