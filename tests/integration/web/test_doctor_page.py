"""The checks of `throughline doctor` within a web process: what they tell, and who may run them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shared.errors import BusyError
from shared.services import Services
from shared.settings.setting_sources import Variables, read_variables
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.test_operations import PROXY
from tests.waiting import PATIENCE_S, wait_for
from web.operations.doctor_runs import MOST_WAITING, DoctorRuns

PATH = "/api/v1/operations/doctor"
KEY = "sk-a-key-that-nobody-may-read"
#: What these sites lack: they have no workers, and the encoder is not started.
LACKS = {"workers", "embedder"}


class HeldEnvironment(dict[str, str]):
    """An environment whose names come once it is released: the first check waits for them."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked = threading.Event()
        self.is_released = threading.Event()

    def __iter__(self) -> Iterator[str]:
        self.is_asked.set()
        assert self.is_released.wait(PATIENCE_S)
        return super().__iter__()


@pytest.fixture(autouse=True)
def _each_run_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.operations.doctor_runs.KEPT_S", 0.001)


def examine(browser: Browser) -> dict[str, Any]:
    answer = browser.client.post(PATH)
    assert answer.status_code == 200, answer.text
    report: dict[str, Any] = answer.get_json()
    return report


def problems(browser: Browser) -> dict[str, str]:
    """What these sites do not lack anyway, by check."""
    checks = examine(browser)["checks"]
    assert all(
        check_report["advice"] for check_report in checks if check_report["status"] == "problem"
    )
    by_check = {
        check_report["check"]: check_report["says"]
        for check_report in checks
        if check_report["status"] == "problem"
    }
    return {check: says for check, says in by_check.items() if check not in LACKS}


def test_a_fault_is_named_and_nothing_else(make_browser: MakeBrowser, tmp_path: Path) -> None:
    browser = make_browser(data_dir=tmp_path)
    assert problems(browser) == {}
    secret = tmp_path / "secret-key"
    secret.write_text("x" * 40)
    secret.chmod(0o644)
    assert problems(browser) == {"files": "other accounts may read secret-key in DATA_DIR"}
    secret.chmod(0o600)
    assert problems(browser) == {}


def test_a_lost_service_is_named_and_what_depends_on_it_is_not_checked(
    make_browser: MakeBrowser,
) -> None:
    without_redis = make_browser(redis_url="redis://127.0.0.1:1/0")
    assert problems(without_redis) == {"redis": "Redis cannot be reached"}
    without_database = make_browser(database_url="postgresql://x@127.0.0.1:1/x")
    assert problems(without_database) == {"database": "Postgres cannot be used: not_reachable"}


def test_a_misspelt_variable_of_the_process_is_named(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_MODLE", "gpt")
    assert problems(browser) == {"settings": "unknown: LLM_MODLE (is LLM_MODEL meant?)"}


def test_what_only_the_command_can_check_is_told_as_such(browser: Browser) -> None:
    [port] = [check for check in examine(browser)["checks"] if check["check"] == "port"]
    assert port["status"] == "skipped"
    assert "bin/throughline doctor" in port["says"]


def test_the_answer_is_safe_to_paste(
    make_browser: MakeBrowser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STUCK_AFTER_S", "299")
    browser = make_browser(
        data_dir=tmp_path,
        secret_key="k" * 40,
        llm_api_key=KEY,
        memory_instructions="Note where Ada Lovelace lives.",
        stuck_after_s=299,
    )
    browser.chat("My boat is called Albatross.")
    report = examine(browser)
    settings = {
        setting["name"]: (setting["value"], setting["source"]) for setting in report["settings"]
    }
    assert settings["LLM_API_KEY"][0] == "(set)"
    assert settings["STUCK_AFTER_S"] == ("299", "environment")
    assert settings["LEASE_S"] == ("30", "default")
    text = json.dumps(report)
    for secret in (KEY, "k" * 40, "Ada", "Albatross", "throughline_app", str(tmp_path), "redis://"):
        assert secret not in text


def test_a_model_is_asked_when_the_checks_are_run_and_not_before(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    assert wired.client.get("/operations").status_code == 200
    assert wired.client.get(PATH).status_code == 405
    assert openai_server.requests == []
    checks = examine(wired)["checks"]
    assert [check["says"] for check in checks if check["check"] == "models"] == ["1 models answer"]
    assert len(openai_server.requests) == 1


def test_only_operators_run_them(make_browser: MakeBrowser) -> None:
    browser = make_browser(**PROXY, operators="ada")
    answers = {
        name: browser.client.post(PATH, headers={"X-Forwarded-User": name}).status_code
        for name in ("ada", "bob")
    }
    assert answers == {"ada": 200, "bob": 403}


def test_a_check_that_hangs_is_named_and_lets_no_other_run_begin(browser: Browser) -> None:
    services, encoder = browser.context.services, browser.context.encoder
    runs = DoctorRuns(services, encoder, longest_s=2)
    held = HeldEnvironment()
    reports = runs.run(Variables(environment=held))
    assert held.is_asked.is_set()
    assert (reports[0].check, reports[0].status) == ("settings", "problem")
    assert {report.status for report in reports[1:]} == {"skipped"}
    wait_for(lambda: is_busy(runs))
    held.is_released.set()
    wait_for(lambda: not is_busy(runs))


def is_busy(runs: DoctorRuns) -> bool:
    try:
        runs.run(read_variables())
    except BusyError:
        return True
    return False


class CountedEnvironment(HeldEnvironment):
    """Counts the runs that read its names: the first check of each."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        self.count += 1
        return super().__iter__()


def test_all_who_ask_at_once_or_soon_after_get_one_run(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In two processes, each with objects of its own."""
    monkeypatch.setattr("web.operations.doctor_runs.KEPT_S", PATIENCE_S)
    environment = CountedEnvironment()
    variables = Variables(environment=environment)
    encoder = browser.context.encoder
    other = Services(browser.context.services.settings)
    processes = [DoctorRuns(browser.context.services, encoder), DoctorRuns(other, encoder)]
    with ThreadPoolExecutor(8) as threads:
        runs = [threads.submit(processes[number % 2].run, variables) for number in range(8)]
        assert environment.is_asked.wait(PATIENCE_S)
        environment.is_released.set()
        answers = [future.result(PATIENCE_S) for future in runs]
    answers += [process.run(variables) for process in processes]
    names_read = environment.count
    assert all(answer == answers[0] for answer in answers)
    assert "settings" in {report.check for report in answers[0] if report.status == "ok"}
    DoctorRuns(other, encoder).run(variables)
    assert environment.count == names_read
    other.close()


def test_without_redis_each_process_runs_its_own_once(make_browser: MakeBrowser) -> None:
    browser = make_browser(redis_url="redis://127.0.0.1:1/0")
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: problems(browser), range(8)))
    assert answers == [{"redis": "Redis cannot be reached"}] * 8


def test_who_would_hold_too_many_threads_is_refused(browser: Browser) -> None:
    runs = DoctorRuns(browser.context.services, browser.context.encoder)
    held = HeldEnvironment()
    variables = Variables(environment=held)
    with ThreadPoolExecutor(MOST_WAITING) as threads:
        futures = [threads.submit(runs.run, variables) for _ in range(MOST_WAITING)]
        assert held.is_asked.wait(PATIENCE_S)
        wait_for(lambda: all(future.running() for future in futures) and is_busy(runs))
        held.is_released.set()
    assert len({len(future.result()) for future in futures}) == 1
