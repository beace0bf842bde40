"""Which files in folders are read, or why not: `python -m bench.throughput.documents FOLDER…`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from shared.attachments.reader import read_file
from shared.errors import FileTypeError, UnreadableFileError
from shared.models import UserId

READER = UserId("reader")


def main(folders: list[str]) -> None:
    outcomes: Counter[str] = Counter()
    seconds = []
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.*")):
        if not path.is_file():
            continue
        began = time.perf_counter()
        try:
            text = read_file(READER, path.name, path.read_bytes()).text
            outcome = "read" if text else "an image"
        except (FileTypeError, UnreadableFileError) as exc:
            outcome = exc.message
        seconds.append(time.perf_counter() - began)
        outcomes[outcome] += 1
        print(f"{seconds[-1]:6.2f} s  {outcome:60} {path}")
    print()
    for outcome, count in outcomes.most_common():
        print(f"{count:5}  {outcome}")
    print(f"{sum(seconds):.0f} s in all, the longest {max(seconds, default=0):.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
