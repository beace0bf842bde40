"""Messages, passages of files and episodes that match a question, as a prompt is given them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.db import PgConnection
from shared.models import Episode, Query, Quote
from shared.models.attachments import FilePassage
from shared.policy.attachments.quoted import choose_passages
from shared.policy.days_between import count_days_between
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.policy.ranking.passages import Ranked
from shared.policy.ranking.relevance import choose_relevant
from shared.recall.episodes import read_episodes, search_episodes
from shared.recall.messages import search_messages
from shared.recall.prompt_content import Given
from shared.recall.query import Reading
from shared.recall.quotes import choose_quotes
from shared.store.search import candidates


@dataclass(frozen=True, kw_only=True)
class Matches:
    #: Messages, best first.
    relevant: Sequence[Ranked] = ()
    quotes: Sequence[Quote] = ()
    #: For a question that asks how long something took: the days between the quotes' dates.
    days_between: Sequence[str] = ()
    #: Of files.
    passages: Sequence[FilePassage] = ()
    #: As of `FoundMessages`.
    few_episodes: bool = False


def match_messages(
    connection: PgConnection, reading: Reading, prompt_content: Given, tokens: int
) -> Matches:
    """All relevant messages that are not in `prompt_content`, and quotes of the best of them.

    Passages of files are relevant or not by the same measure.
    """
    messages = search_messages(connection, reading, prompt_content.left_out_files())
    ranked = [hit for hit in messages.ranked if not prompt_content.leaves_out(hit.passage)]
    others = replace(messages, ranked=ranked)
    chosen = choose_relevant(others.ranked, others.criteria)
    relevant = others.only_messages(chosen)
    quotes = choose_quotes(connection, reading.query.user_id, relevant, others, tokens)
    return Matches(
        relevant=relevant,
        quotes=prompt_content.hide_in_quotes(quotes),
        days_between=count_days_between(quotes, others.criteria.words, reading.query.asked_at)
        if reading.question.asks_how_long
        else (),
        passages=choose_passages(messages.only_files(chosen)),
        few_episodes=messages.few_episodes,
    )


def match_episodes(
    connection: PgConnection, query: Query, matches: Matches, prompt_content: Given, limit: int
) -> Sequence[Episode]:
    candidates.prepare_search(connection)
    candidate_episodes = search_episodes(
        connection, query, matches.relevant, compares_all=matches.few_episodes
    )
    episodes = leave_out_given(candidate_episodes, prompt_content.spans, prompt_content.replaced)
    best = read_episodes(connection, query.user_id, rank_episodes(episodes, limit), prompt_content)
    return prompt_content.hide_in_episodes(best)
