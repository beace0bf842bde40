"""The tokens that calls to models have used."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from shared.models.job_kinds import Kind

#: The purpose of a call to a model.
Purpose = Literal["reply", Kind]


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one or more calls to one model, added up."""

    tokens_in: int
    tokens_out: int
    model: str
    calls: int = 1

    def plus(self, other: Usage | None) -> Usage:
        """Both together, under this one's model."""
        if other is None:
            return self
        return replace(
            self,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            calls=self.calls + other.calls,
        )
