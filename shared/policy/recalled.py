"""What was recalled for one prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from shared.models import Episode, Fact, Point, Quote
from shared.models.attachments import FilePassage
from shared.policy.quoting import FEW_WHOLE
from shared.policy.verbatim import Verbatim


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """All that was recalled for one prompt. Facts, episodes, quotes, passages are best first."""

    facts: Sequence[Fact] = ()
    episodes: Sequence[Episode] = ()
    #: The ids of those episodes that stand in front of the turns, in each prompt since the anchor.
    standing: Set[int] = frozenset()
    quotes: Sequence[Quote] = ()
    #: The most that the quotes may take.
    quote_tokens: int = FEW_WHOLE.tokens
    #: Lines for a question that asks how long something took.
    days_between: Sequence[str] = ()
    #: Of files that the prompt does not show.
    passages: Sequence[FilePassage] = ()
    #: The rolling summary's id, and the last message that it covers.
    memory_id: int | None = None
    summary_end: int | None = None
    #: The rolling summary's points, from old to new.
    points: Sequence[Point] = ()
    #: The newest turns.
    verbatim: Verbatim = field(default_factory=Verbatim)
    #: The question's misspelt words, each with its correction.
    corrected: Mapping[str, str] = field(default_factory=dict)
    #: The steps that found nothing because they failed.
    failed: Sequence[str] = ()

    @property
    def gap_start(self) -> int:
        """The first message after the rolling summary."""
        return 0 if self.summary_end is None else self.summary_end + 1


def fallbacks_of(recalled: Recalled) -> Iterator[Recalled]:
    """`recalled`, then shorter versions: turns and facts, only the turns, only the facts."""
    failed = (*recalled.failed, "prompt")
    yield recalled
    yield Recalled(facts=recalled.facts, verbatim=recalled.verbatim, failed=failed)
    yield Recalled(verbatim=recalled.verbatim, failed=failed)
    yield Recalled(facts=recalled.facts, failed=failed)
