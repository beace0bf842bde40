"""Fields that are bound to what a thread does."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from shared.logs.context import add_fields, bound_fields, current_fields, keep_fields


def test_fields_go_with_the_block_that_bound_them() -> None:
    with bound_fields(request_id="r"):
        with bound_fields(job_id=1):
            add_fields(conversation_id="c")
            assert current_fields() == {"request_id": "r", "job_id": 1, "conversation_id": "c"}
        assert current_fields() == {"request_id": "r"}
    assert current_fields() == {}


def fields_in_a_thread(*, is_kept: bool) -> Mapping[str, object]:
    snapshots: list[Mapping[str, object]] = []

    def look(into: list[Mapping[str, object]]) -> None:
        into.append(current_fields())

    thread = threading.Thread(target=keep_fields(look) if is_kept else look, args=(snapshots,))
    thread.start()
    thread.join()
    return snapshots[0]


def test_a_thread_has_the_fields_of_who_started_it_only_if_told_to_keep_them() -> None:
    with bound_fields(request_id="r"):
        assert fields_in_a_thread(is_kept=True) == {"request_id": "r"}
        assert fields_in_a_thread(is_kept=False) == {}
