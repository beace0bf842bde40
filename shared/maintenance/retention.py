"""Retention: deletes old rows that are no longer needed, in small transactions.

It never deletes messages, episodes and facts. It deletes rolling summaries only if the settings say
so. Two runs at once do no harm: each skips the rows that the other has locked.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from shared.db import PgConnection
from shared.models.job_kinds import DERIVATIONS
from shared.services import Services
from shared.settings import Settings
from shared.store import (
    attachments,
    audit,
    events,
    kept_answers,
    oauth_grants,
    quotas,
    shares,
    tokens,
    tombstones,
)
from shared.store.upkeep import retention as store

logger = logging.getLogger(__name__)

PORTION = 500  # rows in one transaction
PORTIONS = 20  # for one kind of rows in one run; the next run does the rest
KEEP_FAILED_JOBS_DAYS = 30  # long enough to look into them
KEEP_READINGS_DAYS = 90  # rows that say which messages were read for facts: joined into one
KEEP_IDEMPOTENCY_KEYS_DAYS = 30  # no client sends the same message again later than that
KEEP_IMPORT_REPORTS_DAYS = 90  # the conversations stay
KEEP_SUGGESTIONS_DAYS = 30  # that their user has neither confirmed nor dismissed
KEEP_EVENTS_DAYS = 7  # a client that was away for longer misses the older ones
DEAD_TOKEN_DAYS = 30  # since a token was revoked or expired; until then its user sees why it fails
EXPIRED_GRANT_DAYS = 1
EXPIRED_SHARE_DAYS = 1
USAGE_DAYS = 2  # a day may be over here and not yet there
UNSENT_FILE_DAYS = 1
TOMBSTONE_DAYS = 1  # far longer than any round or job takes


class Delete(Protocol):
    """Deletes (or empties) rows of one kind, at most `limit`. Returns how many."""

    def __call__(self, connection: PgConnection, *, older_than_days: int, limit: int) -> int: ...


@dataclass(frozen=True)
class Rule:
    """Rows older than `days` are deleted; 0 days means never."""

    name: str
    days: int
    delete: Delete


def retire(
    services: Services, *, portion: int = PORTION, portions: int = PORTIONS
) -> dict[str, int]:
    """Delete old rows: for each rule at most `portions` transactions of `portion` rows.

    Returns how many rows were deleted, by rule, where there were any.
    """
    deleted: dict[str, int] = {}
    for rule in _rules(services.settings):
        count = _apply(services, rule, portion, portions) if rule.days else 0
        if count:
            logger.info("retention.retired", extra={"what": rule.name, "count": count})
            deleted[rule.name] = count
    return deleted


def _rules(settings: Settings) -> list[Rule]:
    failed = [
        Rule(
            f"failed {derivation.table}",
            KEEP_FAILED_JOBS_DAYS,
            partial(store.delete_failed_jobs, derivation=derivation),
        )
        for derivation in DERIVATIONS.values()
    ]
    return [
        *failed,
        Rule("readings", KEEP_READINGS_DAYS, store.join_extractions),
        Rule("summaries", settings.keep_summary_versions_days, store.delete_replaced_summaries),
        Rule("keys", KEEP_IDEMPOTENCY_KEYS_DAYS, store.remove_idempotency_keys),
        Rule("answers", KEEP_IDEMPOTENCY_KEYS_DAYS, kept_answers.delete_answers),
        Rule("import reports", KEEP_IMPORT_REPORTS_DAYS, store.delete_import_reports),
        Rule("suggestions", KEEP_SUGGESTIONS_DAYS, store.delete_suggestions),
        Rule("audit events", settings.keep_audit_days, audit.delete_old_events),
        Rule("usage of former days", USAGE_DAYS, quotas.delete_past_days),
        Rule("API tokens", DEAD_TOKEN_DAYS, tokens.delete_dead_tokens),
        Rule("OAuth grants", EXPIRED_GRANT_DAYS, oauth_grants.delete_expired),
        Rule("shared links", EXPIRED_SHARE_DAYS, shares.delete_expired),
        Rule("events", KEEP_EVENTS_DAYS, events.delete_events),
        Rule("files that were never sent", UNSENT_FILE_DAYS, attachments.delete_old_unsent),
        Rule("tombstones", TOMBSTONE_DAYS, tombstones.delete_tombstones),
    ]


def _apply(services: Services, rule: Rule, portion: int, portions: int) -> int:
    total = 0
    for _ in range(portions):
        with services.database.upkeep() as connection:
            count = rule.delete(connection, older_than_days=rule.days, limit=portion)
        total += count
        if count < portion:
            break
    return total
