"""The contract between those who send tasks and those who run them."""

from __future__ import annotations

import inspect

import pytest
from celery import Task

from shared.broker.tasks import QUEUES, ROUTES
from shared.models.job_kinds import DERIVATIONS, Derivation
from workers.app import app

app.loader.import_default_modules()
# Celery's own, and those of pytest-celery, which it adds to every application in this process.
OTHERS = ("celery.", "pytest_celery.")
OWN = {name: app.tasks[name] for name in sorted(app.tasks) if not name.startswith(OTHERS)}


def test_every_registered_task_has_a_route_and_every_route_a_task() -> None:
    assert set(OWN) == set(ROUTES)
    assert {route["queue"] for route in ROUTES.values()} <= set(QUEUES)


@pytest.mark.parametrize("task", OWN.values(), ids=OWN)
def test_every_task_acknowledges_late_and_keeps_no_result(task: Task) -> None:
    assert task.acks_late
    assert task.reject_on_worker_lost
    assert task.ignore_result


@pytest.mark.parametrize("derivation", DERIVATIONS.values())
def test_a_task_of_a_derivation_takes_its_rows_id(derivation: Derivation) -> None:
    assert inspect.signature(OWN[derivation.task].run).bind(7)


@pytest.mark.parametrize("task", OWN.values(), ids=OWN)
def test_tasks_carry_ids_only(task: Task) -> None:
    parameters = inspect.signature(task.run).parameters.values()
    assert {parameter.annotation for parameter in parameters} <= {"int"}


def test_what_beat_sends_is_known_and_expires() -> None:
    schedule = app.conf.beat_schedule.values()
    assert {entry["task"] for entry in schedule} <= set(OWN)
    assert all(entry["options"]["expires"] <= entry["schedule"] for entry in schedule)
