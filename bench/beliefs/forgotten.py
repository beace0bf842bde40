"""What is told again of what a user asked to forget, or not to remember."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bench.harness.prompts import make_prompt, memory_of, open_question
from bench.harness.services import open_services
from shared.derivations.kinds import do_job
from shared.derivations.withholding import forget_at_once
from shared.models import Outcome, UserId
from shared.services import Services
from tests.embedding import embed_pending
from tests.integration.conversing import Conversing
from tests.integration.worker import list_jobs

PATIENCE_S = 60  # a busy machine tells no less


def count_told(cases: Sequence[Mapping[str, Any]]) -> tuple[Counter[str], Counter[str]]:
    """By kind, the words of `untold` that a later prompt has, and how many there are.

    Each case is a chat of its own user, with replies that repeat what was said. Then `ask` is asked
    in another chat. The stand-in does the jobs, on real Postgres with the real embedding model.
    """
    leaks, words = Counter[str](), Counter[str]()
    with_words = [case for case in cases if case.get("untold")]
    if not with_words:
        return leaks, words
    logging.disable(logging.WARNING)
    with open_services(recall_timeout_s=PATIENCE_S) as services:
        for number, case in enumerate(with_words):
            user = f"user-{number}"
            _say(services, user, case["lines"])
            prompt = _ask(services, user, case["ask"]).casefold()
            kind = case.get("kind", "")
            words[kind] += len(case["untold"])
            leaks[kind] += sum(word.casefold() in prompt for word in case["untold"])
    return leaks, words


def _say(services: Services, user: str, lines: Sequence[str]) -> None:
    chat = Conversing(services, UserId(user))
    for line in lines:
        chat_round = chat.open(line)
        forget_at_once(services.database, chat_round)
        chat.close(chat_round, Outcome(status="complete", content=f"I see: {line}"))
        for due in list_jobs(services, "processing"):
            do_job(services, due.kind, due.job_id)
    embed_pending(services)


def _ask(services: Services, user: str, question: str) -> str:
    """The memory that the prompt of a new chat is given."""
    with open_question(services, user, question) as chat_round:
        return memory_of(make_prompt(services, chat_round))
