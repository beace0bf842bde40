"""The page's modules joined into few files, as they are served. There is no build step.

Pages and the parts that they load on demand are the entries. Modules that are loaded for the same
entries are in one file, so nothing is loaded twice, and nothing that is not needed. In its file a
module is a function, after those that it imports from, and its exports are an object:

    export const $js$page$links = (() => { …; return { keepLinks, openLink }; })();

That is the same program, because `make check` allows the page's modules no cycles, no exports that
change, no default exports and no `await` outside of functions.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter

IMPORT = re.compile(r"^import (\w+|\{[^{}]+\}) from '(\.[^']+)';$", re.MULTILINE)
LATE_IMPORT = re.compile(r"\bimport\('(\.[^']+)'\)")
EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
OTHER_FORM = re.compile(r"^\s*(?:import|export)\b(?!\.).*|\bimport\(.*", re.MULTILINE)
OWN_ADDRESS = "import.meta.url"
#: Libraries are modules of their own, and stay files of their own.
VENDOR = "vendor/"


class BundleError(ValueError):
    """A module is not written in a form that can be joined with others."""


@dataclass(frozen=True)
class Module:
    #: Below `static`, as are all paths here.
    path: str
    source: str

    @cached_property
    def imports(self) -> list[str]:
        return [self.resolve(path) for _, path in IMPORT.findall(self.source)]

    @cached_property
    def late_imports(self) -> list[str]:
        return [self.resolve(path) for path in LATE_IMPORT.findall(self.source)]

    @cached_property
    def exports(self) -> str:
        return ", ".join(name for _, name in EXPORT.findall(self.source))

    def resolve(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path))

    def write(self, file: str) -> str:
        """The module as a part of a file."""
        body = EXPORT.sub(r"\1", IMPORT.sub(self._take, self.source))
        if form := OTHER_FORM.search(LATE_IMPORT.sub("", body)):
            raise BundleError(f"{self.path} cannot be joined: {form[0].strip()}")
        body = LATE_IMPORT.sub(
            lambda late: f"import('{address(self.resolve(late[1]), file)}')", body
        )
        body = body.replace(
            OWN_ADDRESS, f"new URL('{address(self.path, file)}', {OWN_ADDRESS}).href"
        )
        name = name_module(self.path)
        return f"export const {name} = (() => {{\n{body}\nreturn {{ {self.exports} }};\n}})();\n"

    def _take(self, statement: re.Match[str]) -> str:
        names, path = statement.groups()
        pattern = names.replace(" as ", ": ") if "{" in names else f"{{ default: {names} }}"
        return f"const {pattern} = {name_module(self.resolve(path))};"


class Bundles:
    """`pages` are the paths of the pages' first modules; `read` gives the source at a path."""

    def __init__(self, pages: Iterable[str], read: Callable[[str], str]) -> None:
        self._pages = frozenset(pages)
        self._modules = find_modules(sorted(self._pages), read)
        late = {path for module in self._modules.values() for path in module.late_imports}
        self._entries = self._pages | (late & self._modules.keys())
        self._file_of = self._assign_files()

    @property
    def sources(self) -> Iterable[str]:
        """The paths of the modules that are joined."""
        return self._modules

    def write_files(self) -> dict[str, str]:
        """Write what is served, by path. Each entry has a file, if only to hand its exports on."""
        return {
            file: self._write(file) for file in sorted({*self._file_of.values(), *self._entries})
        }

    def list_first_files(self, page: str) -> list[str]:
        """The files that a page loads at once, with those of libraries."""
        reached = self._reach(page)
        needed = {
            path for module_path in reached for path in self._modules[module_path].imports
        } | reached
        return sorted({self._file_of.get(path, path) for path in needed})

    def _reach(self, entry: str, *, late: bool = False) -> set[str]:
        """`late`: also what is loaded on demand."""
        reached: set[str] = set()
        waiting = [entry]
        while waiting:
            path = waiting.pop()
            if path in self._modules and path not in reached:
                reached.add(path)
                module = self._modules[path]
                waiting += module.imports + (module.late_imports if late else [])
        return reached

    def _assign_files(self) -> dict[str, str]:
        """The file of each module: that of its only entry, or one shared by the same entries."""
        groups: dict[frozenset[str], list[str]] = defaultdict(list)
        for path, entries in self._list_entries().items():
            groups[entries].append(path)
        return {
            path: min(entries) if len(entries) == 1 else f"bundles/{min(paths)}"
            for entries, paths in groups.items()
            for path in paths
        }

    def _list_entries(self) -> dict[str, frozenset[str]]:
        """The entries that each module is loaded for.

        A part that is loaded on demand is left out if all pages that may load it have the module.
        """
        needed = {entry: self._reach(entry) for entry in self._entries}
        reached = {page: self._reach(page, late=True) for page in self._pages}
        pages = {entry: {page for page in reached if entry in reached[page]} for entry in needed}
        users: dict[str, frozenset[str]] = {}
        for path in self._modules:
            entries = {entry for entry in needed if path in needed[entry]}
            first = entries & self._pages
            users[path] = frozenset(first | {each for each in entries if not pages[each] <= first})
        return users

    def _write(self, file: str) -> str:
        modules = [each for path, each in self._modules.items() if self._file_of[path] == file]
        needed = {path for module in modules for path in module.imports}
        exports = self._modules[file].exports if file in self._entries else ""
        if exports:
            needed.add(file)
        others = sorted(path for path in needed if self._file_of.get(path) != file)
        lines = [self._write_import(path, file) for path in others]
        lines += [module.write(file) for module in modules]
        if exports:
            lines.append(f"export const {{ {exports} }} = {name_module(file)};")
        return "\n".join(lines)

    def _write_import(self, path: str, file: str) -> str:
        name = name_module(path)
        names = f"{{ {name} }}" if path in self._modules else f"* as {name}"
        return f"import {names} from '{address(self._file_of.get(path, path), file)}';"


def find_modules(paths: Iterable[str], read: Callable[[str], str]) -> dict[str, Module]:
    """The modules that are reached from these, each after those that it imports from."""
    modules: dict[str, Module] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in modules and not path.startswith(VENDOR):
            module = modules[path] = Module(path, read(path))
            waiting += module.imports + module.late_imports
    order = TopologicalSorter({path: module.imports for path, module in modules.items()})
    return {path: modules[path] for path in order.static_order() if path in modules}


def name_module(path: str) -> str:
    """The name of the object with its exports."""
    return "$" + re.sub(r"\W", "$", path.removesuffix(".js"))


def address(path: str, file: str) -> str:
    """The relative address of a path, seen from a file."""
    return f"./{posixpath.relpath(path, posixpath.dirname(file))}"
