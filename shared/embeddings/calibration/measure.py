"""A model's centres and calibration, measured once, when the model is exported."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from shared.embeddings.calibration.scripts import script_of
from shared.models import Calibration, Encoded

if TYPE_CHECKING:
    from shared.embeddings.onnx_model import OnnxModel

TEXTS = Path(__file__).with_name("texts.json")
#: A mean vector longer than this says that all texts are similar, whatever they are about.
LONGEST_CENTRE = 0.7

Pairs = dict[str, list[tuple[str, str]]]


def read_pairs() -> Pairs:
    """Read the pairs of questions and answers, by language."""
    pairs: Pairs = json.loads(TEXTS.read_text("utf-8"))
    return pairs


def measure_centres(model: OnnxModel) -> dict[str, Any]:
    """The mean vectors of questions, of messages, and of the tokens of both.

    Where all texts have similar vectors, as with E5, their common part says nothing about them and
    hides what does. It is subtracted. Empty: the model has no such part.
    """
    import numpy as np

    pairs = [pair for listed in read_pairs().values() for pair in listed]
    questions = [model.run_query(question) for question, _ in pairs]
    answers = [model.run_document(answer) for _, answer in pairs]
    centre = np.mean([vector for vector, _ in answers], axis=0)
    if np.linalg.norm(centre) < LONGEST_CENTRE:
        return {}
    return {
        "query": np.mean([vector for vector, _ in questions], axis=0),
        "document": centre,
        "query_tokens": np.concatenate([tokens for _, tokens in questions]).mean(axis=0),
        "document_tokens": np.concatenate([tokens for _, tokens in answers]).mean(axis=0),
    }


def calibrate(model: OnnxModel) -> dict[str, Calibration]:
    """Measure for each script what similarities mean, in the language that the model knows best."""
    best: dict[str, Calibration] = {}
    languages = list(read_pairs().values())
    measured = [_calibrate_language(model, pairs) for pairs in languages]
    usual = {
        "usual_rise": round(
            median(calibration.related - calibration.unrelated for calibration in measured), 3
        ),
        "usual_rise_tokens": round(
            median(
                calibration.related_tokens - calibration.unrelated_tokens
                for calibration in measured
            ),
            3,
        ),
    }
    for pairs, calibration in zip(languages, measured, strict=True):
        script = script_of(pairs[0][1])
        if script not in best or calibration.separation > best[script].separation:
            best[script] = replace(calibration, **usual)
    return best


def _calibrate_language(model: OnnxModel, pairs: Sequence[tuple[str, str]]) -> Calibration:
    import numpy as np

    questions = [model.encode_query(question) for question, _ in pairs]
    answers = model.encode_documents([answer for _, answer in pairs])
    whole = np.array(
        [[question.vector @ other.vector for other in answers] for question in questions]
    )
    by_token = _compare_tokens(questions, answers)
    is_pair = np.eye(len(pairs), dtype=bool)
    return Calibration(
        unrelated=round(float(whole[~is_pair].mean()), 3),
        spread=round(float(whole[~is_pair].std()), 3),
        related=round(float(whole[is_pair].mean()), 3),
        unrelated_tokens=round(float(by_token[~is_pair].mean()), 3),
        related_tokens=round(float(by_token[is_pair].mean()), 3),
    )


def _compare_tokens(questions: Sequence[Encoded], answers: Sequence[Encoded]) -> Any:
    """Similarities token by token, a row for each question."""
    import numpy as np

    from shared.policy.ranking.token_vectors import token_similarities

    signs = [answer.token_signs.tobytes() for answer in answers]
    return np.array(
        [
            [similarity or 0.0 for similarity in token_similarities(question.token_signs, signs)]
            for question in questions
        ]
    )
