"""What becomes a span, and what is said of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from opentelemetry.trace import SpanKind

from shared.tracing import begin_span, entry_span, keep_span, span, trace_headers
from tests.fakes.spans import Spans, recorded_spans, trace_of

MARK = "Zinnober"


@pytest.fixture
def spans() -> Iterator[Spans]:
    with recorded_spans() as recorded:
        yield recorded


def test_a_task_continues_the_trace_of_who_sent_it(spans: Spans) -> None:
    with entry_span("request", "POST", {}), span("round", {}):
        headers = trace_headers()
    assert headers is not None
    with entry_span("task", "facts.extract", headers):
        pass
    sender, consumer = spans.find("round"), spans.find("facts.extract")
    assert trace_of(consumer) == trace_of(sender)
    assert (consumer.parent and consumer.parent.span_id) == (
        sender.context and sender.context.span_id
    )
    assert (spans.find("POST").kind, consumer.kind) == (SpanKind.SERVER, SpanKind.CONSUMER)


@pytest.mark.parametrize("headers", [{}, {"traceparent": "nonsense"}])
def test_a_task_without_a_context_begins_a_trace(spans: Spans, headers: dict[str, str]) -> None:
    with entry_span("task", "maintenance.sweep", headers):
        pass
    assert spans.find("maintenance.sweep").parent is None


def test_an_entry_is_no_part_of_what_this_thread_traces_already(spans: Spans) -> None:
    with entry_span("request", "outer", {}), entry_span("task", "inner", {}):
        pass
    assert trace_of(spans.find("inner")) != trace_of(spans.find("outer"))


def test_work_that_nobody_has_asked_for_has_no_span(spans: Spans) -> None:
    with span("renewal", {}):
        begin_span("call", {}).end()
        assert trace_headers() is None
    assert spans.all() == ()


def test_a_thread_goes_on_with_the_span_that_it_is_given(spans: Spans) -> None:
    def work() -> None:
        with span("round", {}):
            pass

    with entry_span("request", "POST", {}):
        thread = threading.Thread(target=keep_span(work))
    thread.start()  # the request has been answered
    thread.join()
    assert trace_of(spans.find("round")) == trace_of(spans.find("POST"))


def test_of_an_error_its_type_is_told_and_never_its_message(spans: Spans) -> None:
    with pytest.raises(ValueError, match=MARK), entry_span("request", "POST", {}):
        raise ValueError(MARK)
    failed = spans.find("POST")
    assert (failed.attributes or {})["error.type"] == "ValueError"
    assert not failed.status.is_ok
    assert MARK not in spans.text()


def test_baggage_is_neither_taken_nor_sent_on(spans: Spans) -> None:
    with entry_span("request", "POST", {"baggage": f"told={MARK}"}):
        assert set(trace_headers() or ()) == {"traceparent"}
    assert MARK not in spans.text()


def test_log_lines_of_a_trace_name_it(spans: Spans) -> None:
    with entry_span("request", "POST", {}) as request_span:
        fields = request_span.log_fields
    assert fields == {"trace_id": f"{trace_of(spans.find('POST')):032x}"}
