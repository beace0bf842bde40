from __future__ import annotations

import subprocess
import sys


def test_importing_the_package_does_not_import_litellm() -> None:
    code = "import sys, shared.llm, shared.prompts, shared.agents; print('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
