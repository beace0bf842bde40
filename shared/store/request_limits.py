"""Table `request_limits`: what models' servers refuse in requests."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, execute, fetch_rows
from shared.models.request_limits import ModelPlace, RequestLimits


def list_limits(connection: PgConnection) -> dict[ModelPlace, RequestLimits]:
    """What was learned of each model."""
    rows = fetch_rows(connection, "SELECT name, server, part, tokens FROM request_limits")
    parts: dict[ModelPlace, dict[str, int | None]] = {}
    for row in rows:
        place = ModelPlace(name=row["name"], server=row["server"])
        parts.setdefault(place, {})[row["part"]] = row["tokens"]
    return {
        place: RequestLimits(
            refused=frozenset(part for part, tokens in of_place.items() if tokens is None),
            **{part: tokens for part, tokens in of_place.items() if tokens is not None},
        )
        for place, of_place in parts.items()
    }


def add_limits(connection: PgConnection, place: ModelPlace, limits: RequestLimits) -> None:
    """Add to what was learned of a model. Of two bounds the newer one holds."""
    bounds = {name: tokens for name, tokens in asdict(limits).items() if name != "refused"}
    parts = {
        **dict.fromkeys(sorted(limits.refused)),
        **{name: tokens for name, tokens in bounds.items() if tokens is not None},
    }
    execute(
        connection,
        """
        INSERT INTO request_limits (name, server, part, tokens)
        SELECT %(name)s, %(server)s, part, tokens
        FROM unnest(%(parts)s::text[], %(tokens)s::integer[]) AS learned (part, tokens)
        ON CONFLICT (name, server, part) DO UPDATE SET tokens = excluded.tokens
        """,
        name=place.name,
        server=place.server,
        parts=list(parts),
        tokens=list(parts.values()),
    )


def forget_limits(connection: PgConnection, name: str, *, but: ModelPlace | None = None) -> None:
    """Forget what was learned of a model: everywhere, or everywhere `but` where it is now."""
    execute(
        connection,
        """
        DELETE FROM request_limits
        WHERE name = %(name)s AND server IS DISTINCT FROM %(server)s
        """,
        name=name,
        server=but.server if but else None,
    )
