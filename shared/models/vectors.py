"""The vectors that an embedding model makes from a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Signs: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"


SURE_SEPARATION = 3.0


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What a model's similarities mean in one script, measured on texts that the project ships.

    The defaults are those of all-MiniLM-L6-v2 in English.
    """

    #: The mean cosine similarity of a question and a message about something else.
    unrelated: float = 0.06
    #: The standard deviation of the same.
    spread: float = 0.08
    #: The mean cosine similarity of a question and the message that answers it.
    related: float = 0.45
    #: The mean similarity of the tokens of a question and of a message about something else.
    unrelated_tokens: float = 0.12
    #: The mean similarity of the tokens of a question and of the message that answers it.
    related_tokens: float = 0.34
    #: How much more similar an answer is than other messages, in the median of the model's
    #: languages. A few texts of one language may show less than that by chance.
    usual_rise: float = 0.0
    #: The same for tokens.
    usual_rise_tokens: float = 0.0

    @property
    def separation(self) -> float:
        """How far answers stand out, in standard deviations. Below 1: the model cannot tell."""
        return (self.related - self.unrelated) / (self.spread or 1.0)

    @property
    def trust(self) -> float:
        """How much similarities count beside words, 0 to 1."""
        return min(1.0, max(0.0, self.separation / SURE_SEPARATION))

    @property
    def floor(self) -> float:
        """The similarity below which hardly any message lies."""
        return self.unrelated - 2 * self.spread

    def relevance(self, similarity: float) -> float:
        """A cosine on its model's scale: 0 for unrelated texts, 1 for a question and its answer.

        It may lie outside of 0 and 1.
        """
        rise = max(self.related - self.unrelated, self.usual_rise, self.spread)
        return (similarity - self.unrelated) / rise

    def token_relevance(self, similarity: float) -> float:
        """The similarity of tokens on the scale of `relevance`."""
        rise = max(self.related_tokens - self.unrelated_tokens, self.usual_rise_tokens)
        return (similarity - self.unrelated_tokens) / (rise or 1.0)


ENGLISH_MINILM = Calibration()


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """One text's vectors."""

    #: The whole text: float32, shape (dimension,), length 1.
    vector: Vector
    #: The signs of the token vectors, one bit per number: uint8, shape (tokens, bytes per token).
    #: Special tokens are left out. A model without token vectors gives no rows.
    token_signs: Signs
    #: Of the model that made the vectors.
    calibration: Calibration = ENGLISH_MINILM
