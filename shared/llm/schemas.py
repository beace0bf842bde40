"""The forms of the models' answers, as the prompts in `shared/prompts` ask for them.

Here texts and lists are cut to a bounded length. What may be stored is decided in
`shared/policy`.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from shared.policy.facts.proposals import Manner, Owner, Tense
from shared.policy.text import storable

MAX_POINTS = 40
MAX_FACTS = 40
MAX_CONCEPTS = 8
#: Facts in a group of a tidying, and groups. A longer one is no group.
MAX_GROUPED, MAX_GROUPS = 6, 10


class AnswerForm(BaseModel):
    """Fields without a default must be there; fields that are not in the form are ignored.

    Types are converted where that is safe ("0.9" is 0.9): small models confuse them.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


def _clip(limit: int) -> BeforeValidator:
    """Cut a text that is too long, instead of refusing it."""
    return BeforeValidator(lambda v: storable(v).strip()[:limit] if isinstance(v, str) else v)


def _clip_list(limit: int) -> BeforeValidator:
    return BeforeValidator(lambda v: v[:limit] if isinstance(v, list) else v)


Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Sequence = Annotated[int, Field(ge=0)]


class SummaryPoint(AnswerForm):
    """One thing that was said, in the messages `first` to `last` (sequence numbers)."""

    first: Sequence
    last: Sequence
    text: Annotated[Text, _clip(1000)]

    @model_validator(mode="after")
    def _in_order(self) -> SummaryPoint:
        if self.first > self.last:
            raise ValueError("first is greater than last")
        return self


class SummaryAnswer(AnswerForm):
    points: Annotated[list[SummaryPoint], _clip_list(MAX_POINTS)]


class EpisodeAnswer(AnswerForm):
    summary: Annotated[Text, _clip(2000)]
    key_concepts: Annotated[
        list[Annotated[str, _clip(60)]],
        AfterValidator(lambda concepts: list(dict.fromkeys(filter(None, concepts)))),
        AfterValidator(lambda concepts: concepts[:MAX_CONCEPTS]),
    ]


# Other words that models use for those of the form.
_OWNERS = {"user": "user self me own mine user's", "nobody": "nobody none nobody's no_one"}
_MANNERS = {
    "stated": "stated said plain", "asked": "asked question", "supposed": "supposed hypothetical",
    "quoted": "quoted pasted", "joked": "joked joke played play fiction",
    "denied": "denied negated",
}  # fmt: skip
_TENSES = {
    "now": "now present current", "past": "past ended former", "future": "future planned",
    "while": "while for_a_while temporary temporarily",
}  # fmt: skip


def _word(words: dict[str, str], other: str) -> BeforeValidator:
    """Translate a model's word to one of the form's words. `other`: nobody knows the word."""
    known = {alias: word for word, aliases in words.items() for alias in aliases.split()}

    def read(value: object) -> str:
        text = "_".join(value.casefold().split()) if isinstance(value, str) else ""
        return known.get(text, other) if text not in ("", "unknown") else "unknown"

    return BeforeValidator(read)


def _read_day(value: object) -> date | None:
    """A day as YYYY-MM-DD. Anything else names none."""
    try:
        return date.fromisoformat(value.strip()[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


class FactCandidate(AnswerForm):
    """What the user said of themself in message `seq`. `retracts`: it is no longer true.

    `whose`, `how`, `when` and `keep` are the model's own word on it; missing ones are unknown.
    `until`: the last day on which it holds.
    """

    # In the order in which models write them: what was said comes before what it means.
    seq: Sequence
    quote: Annotated[
        str, _clip(300), BeforeValidator(lambda v: v if isinstance(v, str) else "")
    ] = ""
    category: Literal["identity", "preference", "constraint", "instruction"]
    key: Annotated[Text, _clip(64)]
    value: Annotated[str, _clip(500)] = ""
    whose: Annotated[Owner, _word(_OWNERS, "other")] = "unknown"
    how: Annotated[Manner, _word(_MANNERS, "unknown")] = "unknown"
    when: Annotated[Tense, _word(_TENSES, "unknown")] = "unknown"
    until: Annotated[date | None, BeforeValidator(_read_day)] = None
    keep: Annotated[bool, BeforeValidator(lambda v: True if v is None else v)] = True
    retracts: bool = False
    confidence: Share
    importance: Share

    @model_validator(mode="after")
    def _has_value(self) -> FactCandidate:
        if not self.value and not self.retracts:
            raise ValueError("value is empty")
        return self


def _drop_unusable(form: type[AnswerForm]) -> BeforeValidator:
    """One malformed item of a list costs neither the others nor a second call."""

    def is_usable(item: Any) -> bool:
        try:
            form.model_validate(item)
        except ValidationError:
            return False
        return True

    return BeforeValidator(
        lambda v: [item for item in v if is_usable(item)] if isinstance(v, list) else v
    )


class FactsAnswer(AnswerForm):
    facts: Annotated[list[FactCandidate], _drop_unusable(FactCandidate), _clip_list(MAX_FACTS)]


class FactGroup(AnswerForm):
    """Facts about one thing, by their numbers: they say the same, or cannot both hold."""

    facts: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=2, max_length=MAX_GROUPED)]
    relation: Literal["same", "contradiction"]


class TidyingAnswer(AnswerForm):
    groups: Annotated[list[FactGroup], _drop_unusable(FactGroup), _clip_list(MAX_GROUPS)]
