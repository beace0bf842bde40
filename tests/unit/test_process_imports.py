"""Each process leaves alone what it never uses: libraries cost time at the start, and memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

MODELS = {"litellm", "torch", "sentence_transformers", "transformers", "onnxruntime"}
DATABASE = {"psycopg2", "sqlalchemy", "alembic"}
SITE = {"flask", "gunicorn", "mcp", "authlib"}
TABLES = {"babel"}  # our own tables are written from it

# What a process begins with, and what it must not import by that.
FORBIDDEN = {
    "import web.app": MODELS | TABLES | {"sqlalchemy", "alembic", "authlib", "flower"},
    "from workers.app import app; app.loader.import_default_modules()": MODELS
    | SITE
    | TABLES
    | {"sqlalchemy", "alembic", "numpy", "flower"},
    "import workers.__main__": MODELS | DATABASE | SITE | {"numpy", "flower", "prompt_toolkit"},
    "import workers.without_tasks": MODELS | DATABASE | SITE | {"numpy", "tenacity", "httpx"},
    "import migrations.__main__": MODELS | SITE | {"sqlalchemy", "alembic", "celery", "redis"},
    "import supervisor.__main__": MODELS | SITE | {"sqlalchemy", "alembic", "celery", "numpy"},
}


@pytest.mark.parametrize("begins", FORBIDDEN)
def test_a_process_imports_nothing_that_it_does_not_use(begins: str) -> None:
    code = f"import sys\n{begins}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set(done.stdout.split()) & FORBIDDEN[begins] == set()
