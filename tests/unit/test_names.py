"""Variables and parameters are named by nouns, and docstrings begin with what they are about.

ESLint's `id-denylist` has the same words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
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


def list_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters and variables of a function."""
    arguments = function.args
    names = {
        argument.arg
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    }
    return names | {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


@cache
def list_functions() -> list[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return list(read_functions())


def read_functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    paths = (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py")))
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path.relative_to(ROOT), node


def test_variables_and_parameters_are_named_by_nouns() -> None:
    functions = list_functions()
    assert len(functions) > 5000
    assert [
        f"{path}:{function.lineno} {function.name}: {name}"
        for path, function in functions
        for name in sorted(list_names(function) & NO_NAMES)
    ] == []


def test_docstrings_begin_with_what_they_are_about() -> None:
    """Those of errors are sentences for people."""
    product = [folder for folder in CODE if folder not in {"bench", "tests"}]
    assert [
        f"{path}:{function.lineno} {function.name}"
        for path, function in list_functions()
        if path.parts[0] in product
        if (ast.get_docstring(function) or "A").split()[0].rstrip(",") in NO_BEGINNINGS
    ] == []
