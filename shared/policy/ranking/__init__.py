"""Rank what was found: a score is a sum of a few parts, each scaled to 0..1 for one query.

`question` reads the query, `dates`, `world_dates` and `temporal_anchors` the times that it names,
`speech` who told whom, `spelling` its typing errors. `languages` has the words of each language.
`words` weighs its words, `candidates` chooses which messages are scored, `passages` scores them,
`relevance` decides whether any message answers. `episodes` ranks episodes.
"""

from shared.policy.ranking.episodes import leave_out_given, rank_episodes

__all__ = ["leave_out_given", "rank_episodes"]
