from __future__ import annotations

from supervisor.stop_order import hurried_limit_s, orphan_limit_s, stop_limit_s, stop_stages


def test_who_brings_work_stops_first_and_who_remembers_last() -> None:
    started = ["postgres", "valkey", "web", "worker-llm", "worker-embed", "beat", "flower"]
    assert stop_stages(started) == [
        ["web"],
        ["beat"],
        ["worker-llm", "worker-embed"],
        ["flower"],
        ["valkey"],
        ["postgres"],
    ]


def test_numbered_workers_stop_together() -> None:
    assert stop_stages(["worker-llm.1", "web", "worker-llm.2"]) == [
        ["web"],
        ["worker-llm.1", "worker-llm.2"],
    ]


def test_what_is_not_known_stops_before_the_services() -> None:
    assert stop_stages(["postgres", "mailer"]) == [["mailer"], ["postgres"]]


def test_postgres_has_the_most_time() -> None:
    assert (
        stop_limit_s("postgres") == max(map(stop_limit_s, ["web", "beat", "worker-llm", "x"])) + 20
    )


def test_in_a_hurry_only_the_services_are_asked_first() -> None:
    assert [hurried_limit_s(name) for name in ("web", "worker-llm", "postgres", "valkey")] == [
        0,
        0,
        10,
        10,
    ]


def test_what_is_left_over_has_lost_its_services_and_gets_little_time() -> None:
    assert orphan_limit_s("worker-embed") < 10 < orphan_limit_s("valkey")
    assert orphan_limit_s("postgres") == stop_limit_s("postgres")
