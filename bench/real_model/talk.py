"""A conversation with given replies. The jobs of each round are done before the next round."""

from __future__ import annotations

from datetime import UTC, datetime

from shared.agents import DEFAULT_AGENT, get_agent
from shared.llm import count_tokens
from shared.models import Outcome
from shared.policy.budget import Room
from shared.policy.prompt import Frame, Prompt, build_prompt
from shared.recall.encoder import Encoder
from shared.recall.prompt import recall
from shared.services import Services
from shared.timing import Steps
from tests.integration.conversing import Conversing, NoEncoder
from tests.integration.worker import WORK


class Talk:
    """One user's conversation; what is recalled goes by words, unless an encoder is given."""

    def __init__(self, services: Services, encoder: Encoder | None = None) -> None:
        self._services = services
        self._encoder = encoder or NoEncoder()
        self._conversing = Conversing(services)

    def say(self, message: str, reply: str) -> None:
        chat_round = self._conversing.open(message)
        outcome = Outcome(status="complete", content=reply)
        for due in self._conversing.close(chat_round, outcome) or []:
            WORK[due.kind](self._services, due.job_id)

    def ask(self, question: str) -> Prompt:
        """The request that a round with this question would send to the model."""
        settings = self._services.settings
        chat_round = self._conversing.open(question)
        room = Room(tokens=settings.ctx_tokens, recent=settings.recent_tokens)
        recalled = recall(self._services, self._encoder, chat_round, Steps(), room)
        agent_prompt = get_agent(DEFAULT_AGENT).prompt
        frame = Frame(agent_prompt=agent_prompt, now=datetime.now(UTC), current=question)
        return build_prompt(frame, recalled, room, count_tokens(settings.llm_model))
