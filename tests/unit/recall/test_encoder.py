"""A new message is embedded while its round is opened."""

from __future__ import annotations

import numpy as np
import pytest

from shared.models import Encoded
from shared.recall.encoder import Wait, begin_early


class NotingEncoder:
    """Notes what it was asked to embed."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.is_broken = False

    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        return self.begin(text)(timeout_s)

    def begin(self, text: str) -> Wait:
        self.begun.append(text)
        if self.is_broken:
            raise RuntimeError
        vector = np.full(4, len(text), np.float32)
        return lambda _: Encoded(vector=vector, token_signs=np.zeros((0, 1), np.uint8))

    def knows(self, word: str) -> bool:
        return word == "known"


def length_of(encoded: Encoded | None) -> float:
    assert encoded is not None
    return float(encoded.vector[0])


def test_the_text_that_was_begun_is_embedded_once() -> None:
    encoder = NotingEncoder()
    early = begin_early(encoder, "four")
    assert encoder.begun == ["four"]
    assert length_of(early.begin("four")(1.0)) == length_of(early.encode("four", 1.0)) == 4
    assert encoder.begun == ["four"]


def test_another_text_is_embedded_when_it_is_asked_for() -> None:
    encoder = NotingEncoder()
    early = begin_early(encoder, "four")
    assert length_of(early.begin("corrected")(1.0)) == 9
    assert encoder.begun == ["four", "corrected"]
    assert (early.knows("known"), early.knows("unknown")) == (True, False)


def test_an_encoder_that_fails_early_fails_again_where_it_is_noticed() -> None:
    encoder = NotingEncoder()
    encoder.is_broken = True
    early = begin_early(encoder, "four")
    with pytest.raises(RuntimeError):
        early.begin("four")
    encoder.is_broken = False
    assert length_of(early.begin("four")(1.0)) == 4
