"""The forms of the models' answers; the prompts in `shared/prompts` ask for exactly these.

Lengths are bounded here; what may be stored is decided in `shared/policy`. Keys that nobody
asked for are ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)

from shared.policy.text import storable

MAX_POINTS = 40
MAX_FACTS = 40
MAX_CONCEPTS = 8


def _clip(limit: int) -> BeforeValidator:
    """Cut off rather than refuse: a long answer is still an answer."""
    return BeforeValidator(lambda v: storable(v).strip()[:limit] if isinstance(v, str) else v)


def _clip_list(limit: int) -> BeforeValidator:
    return BeforeValidator(lambda v: v[:limit] if isinstance(v, list) else v)


Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Sequence = Annotated[int, Field(ge=0)]


class SummaryPoint(BaseModel):
    """One thing that was said, in the messages `first`..`last` (sequence numbers)."""

    first: Sequence
    last: Sequence
    text: Annotated[Text, _clip(1000)]

    @model_validator(mode="after")
    def _in_order(self) -> SummaryPoint:
        if self.first > self.last:
            raise ValueError("first is greater than last")
        return self


class SummaryAnswer(BaseModel):
    points: Annotated[list[SummaryPoint], _clip_list(MAX_POINTS)]


class EpisodeAnswer(BaseModel):
    summary: Annotated[Text, _clip(2000)]
    key_concepts: Annotated[
        list[Annotated[str, _clip(60)]],
        AfterValidator(lambda concepts: list(dict.fromkeys(filter(None, concepts)))),
        AfterValidator(lambda concepts: concepts[:MAX_CONCEPTS]),
    ]


class FactCandidate(BaseModel):
    """What the user said of themself in message `seq`. `retracts`: it no longer holds."""

    category: Literal["identity", "preference", "constraint", "instruction"]
    key: Annotated[Text, _clip(64)]
    value: Annotated[str, _clip(500)] = ""
    confidence: Share
    importance: Share
    seq: Sequence
    retracts: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> FactCandidate:
        if not self.value and not self.retracts:
            raise ValueError("value is empty")
        return self


def _drop_unusable(value: Any) -> Any:
    """One odd candidate must not cost the others, nor a second call."""
    return [item for item in value if _is_usable(item)] if isinstance(value, list) else value


def _is_usable(item: Any) -> bool:
    try:
        FactCandidate.model_validate(item)
    except ValidationError:
        return False
    return True


class FactsAnswer(BaseModel):
    facts: Annotated[list[FactCandidate], BeforeValidator(_drop_unusable), _clip_list(MAX_FACTS)]
