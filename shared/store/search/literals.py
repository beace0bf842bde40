"""Write values as Postgres literals where the driver's own adapters are slow or unsuitable."""

from __future__ import annotations

from collections.abc import Iterable

from shared.models import Vector


def tsquery_literal(lexeme: str) -> str:
    """A lexeme as a tsquery of one word. No character in it acts as an operator."""
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def array_literal(values: Iterable[object]) -> str:
    """Numbers or ids as one array, which Postgres reads faster than a list of parameters."""
    return f"{{{','.join(map(str, values))}}}"


def vector_literal(vector: Vector) -> str:
    """A vector in pgvector's form, with all digits of its floats."""
    return f"[{('%.9g,' * len(vector) % tuple(vector.tolist()))[:-1]}]"


def halfvec_literal(vector: Vector) -> str:
    """A vector in pgvector's form. Five significant digits are enough for every half float."""
    halves = vector.astype("float16").tolist()
    return f"[{('%.5g,' * len(halves) % tuple(halves))[:-1]}]"
