"""The first installation of `make run`: `python -m bench.install` (minutes; it downloads).

Downloads the locked wheels without pip's cache, then installs them into a fresh environment. Prints
seconds and MB of each step, so that the network's part and the machine's part can be told apart.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements/run.txt", "requirements/embedded.txt")
LARGEST = 5
MB = 1_000_000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="throughline-bench-") as folder:
        wheels, environment = Path(folder, "wheels"), Path(folder, "environment")
        with timed("download"):
            download(wheels)
        show_sizes(wheels)
        with timed("install from these files"):
            install(wheels, environment)
        print(f"on disk: {sum(_sizes(environment).values()) / MB:.0f} MB")


def download(wheels: Path) -> None:
    locked = [part for lock in LOCKS for part in ("-r", str(ROOT / lock))]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-cache-dir", "--no-deps"]
    _run([*pip, "--dest", str(wheels), "--require-hashes", *locked])
    _run([*pip, "--dest", str(wheels), torch_pin()])


def install(wheels: Path, environment: Path) -> None:
    _run([sys.executable, "-m", "venv", str(environment)])
    pip = [str(environment / "bin/python"), "-m", "pip", "install", "--quiet", "--no-index"]
    _run([*pip, "--no-deps", *(str(path) for path in wheels.iterdir())])


def torch_pin() -> str:
    """The version that `bin/install` installs."""
    [pin] = re.findall(r'torch="(torch==[^"]+)"', (ROOT / "bin/install").read_text())
    return str(pin)


def show_sizes(wheels: Path) -> None:
    sizes = _sizes(wheels)
    print(f"{len(sizes)} files, {sum(sizes.values()) / MB:.0f} MB; the largest:")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:LARGEST]:
        print(f"  {size / MB:6.0f} MB  {Path(name).name}")


@contextmanager
def timed(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - began:.0f} s")


def _sizes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path): path.stat().st_size for path in files}


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})


if __name__ == "__main__":
    main()
