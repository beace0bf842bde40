"""The source documents' simulation: ten rounds, with jobs that keep up and jobs that do not."""

from __future__ import annotations

from shared.derivations.kinds import do_job
from shared.models import UserId
from shared.policy.budget import Room
from shared.recall.prompt import recall
from shared.services import Services
from shared.store import conversations, summaries
from shared.timing import Steps
from tests.integration.conversing import Conversing, NoEncoder
from tests.services import as_owner

# After the round that ends with this message, the waiting summary gets done …
CAUGHT_UP_AFTER = {5, 9, 13, 17, 19}
# … which leaves these rows: start, end, and the end of the base.
EXPECTED = [(0, 5, None), (0, 7, 5), (0, 11, 7), (2, 15, 11), (6, 19, 15)]


# A round of the simulation takes some 16 tokens: two of them fit.
TWO_ROUNDS = Room(recent=40)


def test_ten_rounds_leave_the_documents_rows_and_contexts(
    conversing: Conversing, product: Services
) -> None:
    contexts = play(conversing, product, Room(recent=0))
    summaries = [None, *conversing.due_of("summary")]
    assert contexts == {
        1: (summaries[0], []),
        3: (summaries[0], [0, 1]),
        5: (summaries[0], [0, 1, 2, 3]),
        7: (summaries[1], []),
        9: (summaries[1], [6, 7]),
        11: (summaries[2], [8, 9]),
        13: (summaries[2], [8, 9, 10, 11]),
        15: (summaries[3], [12, 13]),
        17: (summaries[3], [12, 13, 14, 15]),
        19: (summaries[4], [16, 17]),
    }


def test_with_recent_rounds_the_rows_are_the_same_and_no_prompt_lacks_the_last_words(
    conversing: Conversing, product: Services
) -> None:
    contexts = play(conversing, product, TWO_ROUNDS)
    assert {reply: sequences for reply, (_, sequences) in contexts.items()} == {
        1: [],
        3: [0, 1],
        5: [0, 1, 2, 3],
        7: [2, 3, 4, 5],
        9: [4, 5, 6, 7],
        11: [6, 7, 8, 9],
        13: [8, 9, 10, 11],
        15: [10, 11, 12, 13],
        17: [12, 13, 14, 15],
        19: [14, 15, 16, 17],
    }


def play(
    conversing: Conversing, product: Services, room: Room
) -> dict[int, tuple[int | None, list[int]]]:
    """By reply: the summary that its prompt was given, and the turns word for word."""
    contexts = {}
    for reply in range(1, 20, 2):
        open_round = conversing.open(f"Message {reply - 1}.")
        recalled = recall(product, NoEncoder(), open_round, Steps(), room)
        contexts[reply] = (recalled.memory_id, [turn.seq for turn in recalled.verbatim.turns])
        conversing.close(open_round)
        if reply in CAUGHT_UP_AFTER:
            do_job(product, "summary", conversing.due_of("summary")[-1])
    assert rows_of(conversing, product) == EXPECTED
    return contexts


def test_rounds_that_are_always_caught_up_leave_a_row_each(
    conversing: Conversing, product: Services
) -> None:
    for _ in range(10):
        conversing.round()
        for memory_id in conversing.due_of("summary")[-1:]:
            do_job(product, "summary", memory_id)
    spans = [(start, end) for start, end, _ in rows_of(conversing, product)]
    assert spans == [(max(0, end - 13), end) for end in range(5, 20, 2)]


def rows_of(conversing: Conversing, product: Services) -> list[tuple[int, int, int | None]]:
    """Start, end and the base's end of each completed summary, oldest first."""
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        conversations.get_conversation(connection, UserId("ada"), conversing.conversation_id)
        chain = summaries.list_summaries(connection, conversing.conversation_id)
    ends = {row.memory_id: row.end_sequence for row in chain}
    assert {row.status for row in chain} == {"completed"}
    return [
        (row.start_sequence, row.end_sequence, ends.get(row.base_memory_id or 0))
        for row in reversed(chain)
    ]
