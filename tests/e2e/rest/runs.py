"""`python -m tests.e2e.rest.runs OPTIONS`: schemathesis' command, once with each token.

`SITE_TOKENS` has them. One process does it: to load schemathesis takes seconds.
"""

from __future__ import annotations

import json
import os
import sys

from schemathesis.cli import schemathesis


def run(token: str) -> int:
    os.environ["SITE_TOKEN"] = token
    print(f"With the token {token!r}:", flush=True)  # noqa: T201 - beside what schemathesis says
    try:
        schemathesis(sys.argv[1:])
    except SystemExit as exc:
        return int(exc.code or 0)
    return 0


if __name__ == "__main__":
    sys.exit(max(run(token) for token in json.loads(os.environ["SITE_TOKENS"])))
