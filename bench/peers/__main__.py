"""Beside mem0 and LangGraph's PostgresStore: `python -m bench.peers` (minutes; it installs them).

They are installed into a folder of their own below the results, behind the product's packages, so
that all run in one process. `bench.peers.systems` says what a search, an add and a learn of each
is. Systems take turns in blocks, so that other load falls on all. A figure is the product's median,
beside the other's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from bench.harness.report import results_folder

PEERS = ("mem0ai==2.2.1", "langgraph-checkpoint-postgres==3.2.0", "psycopg[binary,pool]==3.3.9")


def main() -> None:
    """Run the comparison by the Python that has the peers."""
    folder = results_folder().resolve() / "peers"
    python = install(folder)
    environment = os.environ | {
        "MEM0_TELEMETRY": "False",
        "MEM0_DIR": str(folder / "mem0"),
        "DATA_DIR": str(folder / "data"),
    }
    # By the product's Python: mem0 brings an older protobuf, and the export needs the newer one.
    export = [sys.executable, "-m", "shared.embeddings.export"]
    subprocess.run(export, env=environment, check=True)
    command = [str(python), "-m", "bench.peers.comparison", *sys.argv[1:]]
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)


def install(folder: Path) -> Path:
    """The Python that has the peers. What they share with the product comes from its packages."""
    python = folder / "bin/python"
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        packages = sysconfig.get_path("purelib", vars={"base": str(folder)})
        Path(packages, "product.pth").write_text(sysconfig.get_path("purelib") + "\n")
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS], check=True)
        (folder / "installed").touch()
    return python


if __name__ == "__main__":
    main()
