"""The first installation of `make run`: `python -m bench.install` (minutes; it downloads).

Downloads the locked wheels without pip's cache, then installs them into fresh environments: what
serves with the built-in embedding model, beside what serves with any. Publishes seconds and MB, so
that the network's part and the machine's part can be told apart, and prints the largest files.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.report import Figure, publish

ROOT = Path(__file__).resolve().parents[1]
CHAT = ("requirements/chat.txt", "requirements/embedded.txt")
FULL = ("requirements/run.txt", "requirements/embedded.txt")
LARGEST = 12
MB = 1_000_000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="throughline-bench-") as folder:
        chat = measure(Path(folder, "chat"), CHAT, [])
        full = measure(Path(folder, "full"), FULL, [torch_pin()])
    publish(
        "install",
        [
            Figure(
                name=f"{what}, built-in embedding model",
                value=chat[what],
                unit=what.split()[-1],
                beside="any model",
                beside_value=full[what],
            )
            for what in chat
        ],
    )


def measure(folder: Path, locks: Sequence[str], others: Sequence[str]) -> dict[str, float]:
    wheels, environment = folder / "wheels", folder / "environment"
    began = time.perf_counter()
    download(wheels, locks, others)
    downloaded = time.perf_counter()
    install(wheels, environment)
    installed = time.perf_counter()
    sizes = _sizes(wheels)
    print(f"{len(sizes)} files; the largest:")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:LARGEST]:
        print(f"  {size / MB:6.0f} MB  {Path(name).name}")
    return {
        "download in MB": sum(sizes.values()) / MB,
        "download in s": downloaded - began,
        "installation in s": installed - downloaded,
        "space on disk in MB": sum(_sizes(environment).values()) / MB,
    }


def download(wheels: Path, locks: Sequence[str], others: Sequence[str]) -> None:
    locked = [part for lock in locks for part in ("-r", str(ROOT / lock))]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-cache-dir", "--no-deps"]
    _run([*pip, "--dest", str(wheels), "--require-hashes", *locked])
    for pin in others:
        _run([*pip, "--dest", str(wheels), pin])


def install(wheels: Path, environment: Path) -> None:
    _run([sys.executable, "-m", "venv", str(environment)])
    pip = [str(environment / "bin/python"), "-m", "pip", "install", "--quiet", "--no-index"]
    _run([*pip, "--no-deps", *(str(path) for path in wheels.iterdir())])


def torch_pin() -> str:
    """The version that `bin/install` installs."""
    [pin] = re.findall(r'torch="(torch==[^"]+)"', (ROOT / "bin/install").read_text())
    return str(pin)


def _sizes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path): path.stat().st_size for path in files}


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})


if __name__ == "__main__":
    main()
