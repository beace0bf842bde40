"""The weights of a question's words."""

from __future__ import annotations

from shared.policy.ranking.words import bm25, choose_words, weigh_unsaid, weigh_words


def test_a_rare_word_weighs_more_and_one_that_nobody_said_nothing() -> None:
    weights = weigh_words({"zeppelin": 1, "film": 500, "never": 0}, total=1000)
    assert weights["zeppelin"] > weights["film"] > 0
    assert "never" not in weights


def test_each_word_that_nobody_said_weighs_more_than_the_rarest_that_was() -> None:
    counts = {"zeppelin": 1, "never": 0}
    rarest = weigh_words(counts, total=1000)["zeppelin"]
    assert weigh_unsaid(counts, total=1000) > rarest
    assert weigh_unsaid(counts | {"nobody": 0}, 1000) == 2 * weigh_unsaid(counts, 1000)
    assert weigh_unsaid({"zeppelin": 1}, total=1000) == weigh_unsaid({}, total=0) == 0


def test_weights_stay_above_nothing_when_the_total_is_out_of_date() -> None:
    assert weigh_words({"film": 50}, total=3)["film"] > 0


def test_the_rarest_words_are_looked_up_within_the_limit() -> None:
    counts = {"common": 2000, "rare": 3, "some": 100, "never": 0}
    assert choose_words(counts, limit=500) == ["rare", "some"]


def test_one_word_is_looked_up_however_common() -> None:
    assert choose_words({"common": 2000}, limit=500) == ["common"]
    assert choose_words({}, limit=500) == []


def test_a_short_message_with_the_word_scores_above_a_long_one() -> None:
    weights = {"film": 2.0}
    short, long = (bm25({"film"}, weights, length, 20.0) for length in (5, 200))
    assert short > long > bm25(set(), weights, 5, 20.0) == 0
