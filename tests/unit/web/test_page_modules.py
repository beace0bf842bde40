"""The page's scripts contain no module and no export that nobody uses.

eslint checks one file at a time, so it cannot see this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from web.pages.assets import PAGES, SIGNED_OUT, STATIC

ROOT = Path(__file__).parents[3]
ENTRIES = [STATIC / page for page in (*PAGES, SIGNED_OUT)]
IMPORT = re.compile(r"^import (?:\w+|\{([^}]+)\}) from '(\.[^']+)';", re.MULTILINE)
# Of a module that is loaded when it is needed.
LATE_IMPORT = re.compile(r"const \{([^}]+)\} = await import\('(\.[^']+)'\);")
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)


def list_imports(module: Path) -> list[tuple[Path, set[str]]]:
    """The modules that one imports, each with the names that it takes from there."""
    text = module.read_text()
    imports = IMPORT.findall(text) + LATE_IMPORT.findall(text)
    return [
        ((module.parent / path).resolve(), set(re.findall(r"\w+", names)))
        for names, path in imports
        if "/vendor/" not in path
    ]


def list_modules() -> set[Path]:
    return {path for entry in ENTRIES for path in entry.parent.rglob("*.js")}


def reach(entries: Iterable[Path]) -> set[Path]:
    reached: set[Path] = set()
    waiting = list(entries)
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += [path for path, _ in list_imports(module)]
    return reached


def test_each_module_is_reached_from_a_page() -> None:
    assert list_modules() - reach(ENTRIES) == set()


def test_each_export_is_imported_by_another_module_or_by_a_test() -> None:
    files = [*ROOT.glob("tests/e2e/page/test_*.py"), *ROOT.glob("tests/node/**/*.js")]
    tests = "".join(path.read_text() for path in files)
    imported = {
        (path, name)
        for module in list_modules()
        for path, names in list_imports(module)
        for name in names
    }
    exported = {
        (path, name) for path in list_modules() for name in EXPORT.findall(path.read_text())
    }
    unused = {name for path, name in exported - imported if name not in tests}
    assert unused == set()
