"""Play rounds with given replies, through the product's own opening and closing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from shared.models import Claim, ConversationId, Due, Mode, OpenRound, Outcome, UserId
from shared.models.job_kinds import Derivation
from shared.recall.encoder import Wait
from shared.rounds.closing import close_round
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.store.lease import claims

USER = UserId("ada")


class NoEncoder:
    """An encoder whose model is still loading: recall goes by words."""

    def encode(self, text: str, timeout_s: float) -> None:
        return None

    def begin(self, text: str) -> Wait:
        return lambda timeout_s: None

    def knows(self, word: str) -> bool:
        return False


@dataclass
class Conversing:
    """One conversation. `due` collects the jobs that closing a round claimed."""

    services: Services
    user_id: UserId = USER
    conversation_id: ConversationId | None = None
    due: list[Due] = field(default_factory=list)

    def new_message(self, text: str) -> NewMessage:
        return NewMessage(
            user_id=self.user_id,
            text=text,
            conversation_id=self.conversation_id,
            agent="general",
        )

    def open(
        self, text: str = "Hello", mode: Mode = "active", idempotency_key: str | None = None
    ) -> OpenRound:
        new = replace(self.new_message(text), mode=mode, idempotency_key=idempotency_key)
        with self.services.database.transaction(user=self.user_id) as connection:
            current_round = open_round(connection, new, self.services.settings)
        self.conversation_id = current_round.conversation.conversation_id
        return current_round

    def close(self, current_round: OpenRound, outcome: Outcome | None = None) -> list[Due] | None:
        with self.services.database.transaction(user=self.user_id) as connection:
            due = close_round(
                connection,
                current_round.attempt,
                outcome or Outcome(status="complete", content=f"Reply {current_round.sequence}."),
                self.services.settings,
            )
        self.due += due or []
        return due

    def round(self, text: str = "Hello") -> OpenRound:
        current_round = self.open(text)
        self.close(current_round)
        return current_round

    def due_of(self, kind: str) -> list[int]:
        return [due.job_id for due in self.due if due.kind == kind]

    def begin(self, derivation: Derivation, job_id: int, lease_s: float = 30) -> Claim | None:
        with self.services.database.transaction(user=self.user_id) as connection:
            return claims.begin(connection, derivation, job_id, lease_s)
