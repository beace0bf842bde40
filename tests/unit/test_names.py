"""Names are nouns, verbs or claims, and docstrings begin with what they are about.

ESLint's `id-denylist` has the same words, and more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = (
    "bench", "migrations", "shared", "supervisor", "tests", "throughline", "throughline_client",
    "web", "workers",
)  # fmt: skip

#: They say that something was done, and not what it was done to.
NO_NAMES = frozenset(
    {
        "asked", "found", "given", "kept", "made", "named", "one", "opened", "own", "said",
        "taken", "told", "wanted", "written",
    }
)  # fmt: skip
#: A docstring that begins so leaves its subject to the name, which a reader may not have seen yet.
NO_BEGINNINGS = frozenset({"As", "None", "Not", "Of", "With"})


def list_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """What a file names, by line: functions, classes, parameters, variables and fields."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr


def read_files(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """One after the other: whoever keeps all trees has every garbage collection look at them."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


def list_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_names_say_what_they_are_of() -> None:
    names = [(path, *name) for path, tree in read_files(*CODE) for name in list_names(tree)]
    assert len(names) > 30_000
    assert [
        f"{path}:{line} {name}" for path, line, name in names if name.strip("_") in NO_NAMES
    ] == []


def test_docstrings_begin_with_what_they_are_about() -> None:
    """Those of errors are sentences for people."""
    product = [folder for folder in CODE if folder not in {"bench", "tests"}]
    assert [
        f"{path}:{function.lineno} {function.name}"
        for path, tree in read_files(*product)
        for function in list_functions(tree)
        if (ast.get_docstring(function) or "A").split()[0].rstrip(",") in NO_BEGINNINGS
    ] == []
