"""Find the programs in their Python packages, or copy them for an account that cannot read them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.owner import Owner

COPIES = Path("/var/cache/throughline")
_UNUSED = shutil.ignore_patterns("include", "pkgconfig", "pginstall", "*.a", "__pycache__")


def find_program(package: str, pattern: str, owner: Owner, *, copies: Path = COPIES) -> Path:
    """The program that matches `pattern` in the folder of `package`, runnable by `owner`.

    Raises EmbeddedServiceError if the package is missing or the program does not run.
    """
    folder = _folder_of(package)
    program = _only_match(folder, pattern)
    if owner.can_run(program, "--version"):
        return program
    if owner.is_other:
        program = _copy(package, folder, copies) / program.relative_to(folder)
        if owner.can_run(program, "--version"):
            return program
    raise EmbeddedServiceError(f"{program} does not run on this machine as {owner.name}.")


def _folder_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbeddedServiceError(
            f"The package {package} is not installed: run bin/install, "
            "or set DATABASE_URL and REDIS_URL to services of your own."
        )
    return Path(spec.origin).parent


def _only_match(folder: Path, pattern: str) -> Path:
    match = next(folder.glob(pattern), None)
    if match is None:
        raise EmbeddedServiceError(f"{folder} has no {pattern} for this machine.")
    return match


def _copy(package: str, folder: Path, copies: Path) -> Path:
    """Copy the package with its wheel's libraries, once for each version."""
    target = copies / f"{package}-{importlib.metadata.version(package)}"
    if not target.exists():
        copies.mkdir(mode=0o755, parents=True, exist_ok=True)
        _write_copy(target, [folder, folder.with_name(f"{package}.libs")])
    return target / folder.name


def _write_copy(target: Path, sources: list[Path]) -> None:
    """Rename, so that only complete copies are visible. The first of several processes wins."""
    staged = Path(tempfile.mkdtemp(prefix=".copy-", dir=target.parent))
    try:
        for source in filter(Path.exists, sources):
            shutil.copytree(source, staged / source.name, ignore=_UNUSED)
        staged.chmod(0o755)
        os.rename(staged, target)
    except OSError:
        shutil.rmtree(staged, ignore_errors=True)
        if not target.exists():
            raise
