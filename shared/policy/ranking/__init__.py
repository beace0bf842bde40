"""Putting what was found in order: a sum of a few parts, each scaled to 0..1 for one question.

`question` reads what is asked, `dates` and `landmarks` the times that it names, `words` weighs its
words, `candidates` chooses what is looked at, `passages` scores it, `relevance` says whether any
of it answers. `episodes` orders episodes.
"""

from shared.policy.ranking.episodes import leave_out_given, rank_episodes

__all__ = ["leave_out_given", "rank_episodes"]
