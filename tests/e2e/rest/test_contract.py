"""schemathesis reads the document and asks the real server: its answers are as the document says.

`CONTRACT_EXAMPLES` and `CONTRACT_SEED` make a longer run (docs/testing.md).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from shared.db import Database
from tests.e2e.conftest import environment_of
from tests.e2e.rest.seeds import API, Seeds
from tests.e2e.site import ROOT, Site, running_site
from tests.services import Services

REDIS = 10  # of this site alone
TOKEN = "the-token-of-this-site"  # noqa: S105
CONFIG = Path(__file__).with_name("schemathesis.toml")
EXAMPLES = os.environ.get("CONTRACT_EXAMPLES", "2")
SEED = os.environ.get("CONTRACT_SEED", "1")
PATIENCE_S = 3600
SETTINGS = {
    "LOCAL_TOKEN": TOKEN,
    "WEB_CONCURRENCY": "1",
    "MEMORY_WINDOW_LIMIT": "4",
    "MEMORY_MAX_TURNS": "4",
}


@dataclass(frozen=True)
class Contract:
    site: Site
    ids: dict[str, list[str]]
    folder: Path

    def post(self, path: str, body: object) -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = httpx.post(f"{self.site.url}{API}{path}", json=body, headers=headers, timeout=60)
        return answer.raise_for_status().json()

    def check(self, tokens: list[str], *options: str) -> None:
        """Fails with what schemathesis found with any of the tokens."""
        command = [sys.executable, "-m", "tests.e2e.rest.runs", "--config-file", str(CONFIG), "run"]
        document = f"{self.site.url}{API}/openapi.json"
        ran = subprocess.run(
            [*command, document, "--seed", SEED, *options],
            cwd=ROOT,
            env=os.environ
            | {
                "SITE_TOKENS": json.dumps(tokens),
                "SITE_IDS": json.dumps(self.ids),
                "SCHEMATHESIS_HOOKS": "tests.e2e.rest.hooks",
                "PYTHONPATH": str(ROOT),
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        (self.folder / "schemathesis.log").write_text(ran.stdout + ran.stderr)
        assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-5_000:]


@pytest.fixture(scope="module")
def contract(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contract]:
    folder = tmp_path_factory.mktemp("contract")
    with services.databases.lend() as url:
        database = Database(url, pool_size=1)
        environment = environment_of(services, url, REDIS) | SETTINGS
        with running_site(environment, folder, "web", "worker-llm") as site:
            headers = {"Authorization": f"Bearer {TOKEN}"}
            with httpx.Client(base_url=site.url, headers=headers, timeout=60) as asker:
                seeds = Seeds(asker, database)
                seeds.talk()
                site.kill("worker-llm")
                seeds.add_the_rest()
            yield Contract(site, seeds.find_ids(), folder)
        database.close()


def test_the_server_answers_as_its_document_says(contract: Contract) -> None:
    contract.check([TOKEN], "--max-examples", EXAMPLES)


def test_callers_without_a_token_or_its_scopes_are_refused_as_the_document_says(
    contract: Contract,
) -> None:
    narrow = {"name": "reads", "scopes": ["memory:read"]}
    narrow_token = contract.post("/tokens", narrow)
    tokens = ["", narrow_token["token"]]
    contract.check(tokens, "--phases", "examples,fuzzing", "--max-examples", "1")
