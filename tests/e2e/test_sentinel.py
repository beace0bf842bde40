"""A site on a Redis that Sentinel watches, with the least rights: its master dies in a round."""

from __future__ import annotations

from pathlib import Path

import httpx

from shared.broker.queues import find_waiting
from shared.broker.tasks import QUEUES
from shared.ephemeral.redis_client import is_usable
from shared.services import Services as Product
from shared.settings import read_settings
from tests.e2e.conftest import SHORT_LEASE, SHORT_LEASE_S, environment_of
from tests.e2e.site import running_site
from tests.fakes.openai_server import Scripted, running_openai_server
from tests.fakes.redis_servers import FAILOVER_S, list_refusals, watched_servers
from tests.integration.faults.answers import answer_well
from tests.integration.worker import list_jobs
from tests.services import Services
from tests.waiting import wait_for

SLOW = Scripted(text="word " * 20, piece_delay_s=0.1)
DONE_S = 60 + SHORT_LEASE_S


def test_a_failover_in_the_middle_of_a_round_loses_nothing(
    services: Services, database_url: str, tmp_path: Path
) -> None:
    with watched_servers() as redis, running_openai_server() as model:
        environment = (
            environment_of(services, database_url)
            | SHORT_LEASE
            | {
                "REDIS_URL": redis.url,
                "LLM_MODEL": "fake-model",
                "LLM_API_BASE": model.base_url,
                "LLM_API_KEY": "sk-test",
            }
        )
        answer_well(model)
        product = Product(
            read_settings(database_url=database_url, redis_url=redis.url, data_dir=tmp_path)
        )
        with running_site(environment, tmp_path, "web", "worker-llm", "beat") as site:
            conversation_id = str(site.chat("I live in Oslo.")["conversation_id"])
            answering = wait_for(lambda: site.get("/api/v1/operations/workers")["workers"], DONE_S)
            assert [worker["name"].split("-")[0] for worker in answering] == ["llm"]
            model.script(SLOW)
            body = {
                "message": "I live in Bergen.",
                "conversation_id": conversation_id,
                "stream": True,
            }
            with httpx.stream("POST", f"{site.url}/chat", json=body, timeout=60) as answer:
                lines = answer.iter_lines()
                next(line for line in lines if line.startswith("data:"))
                killed = redis.kill_master()
                assert any(line.startswith("event: done") for line in lines)
            assert site.chat("And where do I live?", conversation_id)["sequence"] == 5
            wait_for(lambda: redis.has_other_master(than=killed), FAILOVER_S)

            def is_done() -> bool:
                site.revive()
                memory = site.get(f"/api/v1/conversations/{conversation_id}/summaries")
                return memory["summary_end"] == 5 and not list_jobs(product, "processing")

            wait_for(is_done, DONE_S, site.log("worker-llm"))
            assert list_jobs(product, "failed") == []
            assert is_usable(product.redis)  # the new master
            assert (find_waiting(product.broker, QUEUES) or {}).keys() == set(QUEUES)
            assert product.redis.lrange(f"stm:{conversation_id}", 0, -1)
            assert list_refusals(redis.find_master()) == []
        product.close()
