"""Claims and completions of one conversation take turns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from shared.db import PgConnection
from shared.derivations.claims import claim_kind
from shared.models import Claim, Due
from shared.models.job_kinds import EPISODE, FACTS, Derivation
from shared.services import Services
from shared.store import episodes
from shared.store.facts import extractions
from tests.integration.conversing import Conversing
from tests.integration.locks import wait_for_blocked_statement
from tests.services import MakeSettings, as_owner

Complete = Callable[[object, Claim], bool]
NOW = datetime.now(UTC)
LAST = 11  # of six rounds


@pytest.fixture
def product(make_settings: MakeSettings) -> Iterator[Services]:
    services = Services(make_settings(memory_window_limit=5))
    yield services
    services.close()


def complete_episode(connection: PgConnection, claim: Claim) -> bool:
    new = episodes.NewEpisode(
        summary="-", key_concepts=[], started_at=NOW, ended_at=NOW, model="m", prompt_version="1"
    )
    return episodes.complete_episode(connection, claim, new)


def complete_facts(connection: PgConnection, claim: Claim) -> bool:
    return extractions.complete_extraction(
        connection, claim, end=claim.span.end, model=None, prompt_version=None
    )


@pytest.mark.parametrize(
    ("derivation", "complete"),
    [(EPISODE, complete_episode), (FACTS, complete_facts)],
    ids=["episode", "facts"],
)
def test_a_claim_made_while_a_job_completes_starts_where_that_ends(
    product: Services,
    derivation: Derivation,
    complete: Complete,
) -> None:
    conversing = Conversing(product)
    for _ in range(3):
        conversing.round()
    conversation_id = conversing.conversation_id
    assert conversation_id is not None
    first_claim = conversing.begin(derivation, conversing.due_of(derivation.kind)[0])
    assert first_claim is not None
    for _ in range(3):
        conversing.round()
    claimed: list[Due | None] = []

    def claim() -> None:
        with as_owner(product) as connection:
            claimed.append(
                claim_kind(connection, derivation.kind, conversation_id, LAST, product.settings)
            )

    with as_owner(product) as connection:
        assert complete(connection, first_claim)
        other = threading.Thread(target=claim)
        other.start()
        wait_for_blocked_statement(product.settings.database_url)
        assert claimed == []
    other.join(60)
    [due] = claimed
    assert due is not None
    following = conversing.begin(derivation, due.job_id)
    assert following is not None
    assert following.span.start == first_claim.span.end + 1
