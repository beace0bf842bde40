"""One trace from a request to its rows, without a word of what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan

from shared.broker.sending import send_due
from shared.derivations.kinds import do_job
from shared.models import ConversationId, Due, UserId
from shared.models.job_kinds import FACTS, SUMMARY
from shared.services import Services
from shared.tracing import entry_span
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.fakes.spans import Spans, recorded_spans, trace_of
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, make_browser, openai_server
from tests.integration.worker import list_jobs, run_sql
from tests.waiting import wait_for

__all__ = ["make_browser", "openai_server"]

ON = {"otel_exporter_otlp_endpoint": "http://127.0.0.1:9"}
MARK = "Zinnober"
SAID = f"My cat is called {MARK}."
TROUBLE = """
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cannot take %%', NEW USING DETAIL = NEW::text; END $$;
    CREATE TRIGGER broken BEFORE INSERT OR UPDATE ON structured_facts
        FOR EACH ROW EXECUTE FUNCTION break()
"""


@pytest.fixture
def spans() -> Iterator[Spans]:
    with recorded_spans() as recorded:
        yield recorded


def take_headers(product: Services, queue: str) -> dict[str, str]:
    """Those of the first task that waits."""
    with product.broker.connection_for_read() as connection:
        message = product.broker.amqp.queues[queue](connection.default_channel).get(no_ack=True)
        assert message is not None
        return dict(message.headers)


def in_trace(spans: Spans, name: str) -> list[ReadableSpan]:
    trace = trace_of(spans.find(name))
    return [span for span in spans.all() if trace_of(span) == trace]


def test_a_click_its_task_and_its_rows_are_one_trace(
    make_browser: Callable[..., Browser], spans: Spans
) -> None:
    browser = make_browser(**ON)
    product = browser.context.services
    conversation_id = browser.chat(SAID).get_json()["conversation_id"]
    wait_for(lambda: [span for span in spans.all() if span.name == "round"])
    [job] = [due for due in list_jobs(product) if due.kind == "facts"]
    with entry_span("task", FACTS.task, take_headers(product, "facts")):
        do_job(product, "facts", job.job_id)

    trace_spans = in_trace(spans, "POST /chat")
    names = {span.name for span in trace_spans}
    assert names >= {"POST /chat", "round", "step recall", "model reply", "INSERT messages"}
    assert names >= {FACTS.task, "job facts", "model facts", "INSERT structured_facts"}
    insert = next(span for span in trace_spans if span.name == "INSERT structured_facts")
    assert (insert.attributes or {})["throughline.rows"] == 1
    for name in ("POST /chat", "round", "job facts"):
        attributes = spans.find(name).attributes or {}
        assert attributes.get("throughline.conversation_id", conversation_id) == conversation_id
    assert MARK.lower() not in spans.text().lower()


def test_a_streamed_reply_belongs_to_its_request(
    make_browser: Callable[..., Browser], spans: Spans
) -> None:
    browser = make_browser(**ON)
    assert [name for name, _ in browser.stream(SAID)][-1] == "done"
    wait_for(lambda: [span for span in spans.all() if span.name == "round"])
    assert "model reply" in {span.name for span in in_trace(spans, "POST /chat")}


def test_the_callers_trace_is_continued(make_browser: Callable[..., Browser], spans: Spans) -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    make_browser(**ON).get("/api/v1/me/quotas", traceparent=f"00-{trace_id}-00f067aa0ba902b7-01")
    assert f"{trace_of(spans.find('GET /api/v1/me/quotas')):032x}" == trace_id


@pytest.mark.parametrize(
    "path",
    [
        f"/api/v1/search?q={MARK}",
        f"/{MARK}",
        f"/api/v1/conversations/{MARK}",
        f"/api/v1/facts?cursor={MARK}",
    ],
)
def test_no_span_says_what_was_asked_for(
    make_browser: Callable[..., Browser], spans: Spans, path: str
) -> None:
    headers = {"User-Agent": MARK, "X-Request-Id": MARK, "Referer": f"http://localhost/{MARK}"}
    make_browser(**ON).client.get(path, headers=headers)
    assert len(spans.all()) > 0
    assert MARK not in spans.text()


def test_no_span_says_what_a_failing_model_says(
    make_browser: Callable[..., Browser], spans: Spans, openai_server: FakeOpenAI
) -> None:
    browser = make_browser(
        **ON,
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key=f"sk-{MARK}",
        llm_tries=1,
    )
    refusal = Scripted(status=400, error=f"Unknown field in: {MARK}")
    openai_server.by_task["reply"] = refusal
    browser.chat(SAID)
    wait_for(lambda: [span for span in spans.all() if span.name == "round"])
    assert (spans.find("model reply").attributes or {})["error.type"] == "RequestNotAcceptedError"
    assert MARK not in spans.text()


@pytest.mark.changes_schema
def test_no_span_says_what_a_failing_statement_says(
    make_browser: Callable[..., Browser], spans: Spans
) -> None:
    product = make_browser().context.services
    talk = Conversing(product, user_id=UserId("local"))
    talk.round(SAID)
    run_sql(product, TROUBLE)
    [job] = [due for due in talk.due if due.kind == "facts"]
    with entry_span("task", FACTS.task, {}):
        do_job(product, "facts", job.job_id)
    failed = [span for span in spans.all() if span.name == "INSERT structured_facts"]
    assert (failed[0].attributes or {})["error.type"] == "RaiseException"
    assert MARK not in spans.text()


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/assets/any/icon.svg"])
def test_what_is_asked_all_the_time_is_not_traced(
    make_browser: Callable[..., Browser], spans: Spans, path: str
) -> None:
    make_browser(**ON).client.get(path).close()
    assert spans.all() == ()


def test_a_job_that_nobody_waits_for_is_sent_without_a_context(
    product: Services, spans: Spans
) -> None:
    due = Due(kind="summary", job_id=1, conversation_id=ConversationId("x"))
    send_due(product.broker, [due])
    headers = take_headers(product, "summaries")
    assert headers["task"] == SUMMARY.task
    assert "traceparent" not in headers
