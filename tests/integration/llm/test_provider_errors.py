"""From each of litellm's errors to ours, and to the HTTP status."""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from shared import errors as ours
from shared.llm import complete, open_stream
from shared.llm.provider_call import stream_answer
from shared.llm.provider_errors import KNOWN, translate
from shared.llm.providers.litellm_setup import load_litellm
from shared.llm.targets import Target, list_targets
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest

TARGET = Target(model="some/model", provider="some", name="some/model")

TABLE = {
    "APIConnectionError": (ours.ModelUnavailableError, 503),
    "APIError": (ours.ModelUnavailableError, 503),
    "APIResponseValidationError": (ours.ModelOutputError, 502),
    "AuthenticationError": (ours.ModelRefusedError, 502),
    "BadGatewayError": (ours.ModelUnavailableError, 503),
    "BadRequestError": (ours.RequestNotAcceptedError, 502),
    "BlockedPiiEntityError": (ours.InputRefusedError, 502),
    "BudgetExceededError": (ours.ModelRefusedError, 502),
    "ContentPolicyViolationError": (ours.InputRefusedError, 502),
    "ContextWindowExceededError": (ours.InputTooLongError, 413),
    "GuardrailRaisedException": (ours.InputRefusedError, 502),
    "ImageFetchError": (ours.RequestNotAcceptedError, 502),
    "InternalServerError": (ours.ModelUnavailableError, 503),
    "InvalidRequestError": (ours.RequestNotAcceptedError, 502),
    "JSONSchemaValidationError": (ours.ModelOutputError, 502),
    "LiteLLMUnknownProvider": (ours.ModelRefusedError, 502),
    "MidStreamFallbackError": (ours.ModelUnavailableError, 503),
    "MockException": (ours.ModelUnavailableError, 503),
    "ModelNotMappedError": (ours.ModelRefusedError, 502),
    "ModifyResponseException": (ours.InputRefusedError, 502),
    "NotFoundError": (ours.ModelRefusedError, 502),
    "OpenAIError": (ours.ModelUnavailableError, 503),
    "PaymentRequiredError": (ours.ModelRefusedError, 502),
    "PermissionDeniedError": (ours.ModelRefusedError, 502),
    "RateLimitError": (ours.RateLimitedError, 503),
    "RejectedRequestError": (ours.InputRefusedError, 502),
    "SensitiveDataRouteException": (ours.InputRefusedError, 502),
    "ServiceUnavailableError": (ours.ModelUnavailableError, 503),
    "Timeout": (ours.ModelTimeoutError, 504),
    "UnprocessableEntityError": (ours.RequestNotAcceptedError, 502),
    "UnsupportedParamsError": (ours.RequestNotAcceptedError, 502),
    "VectorStoreSearchError": (ours.RequestNotAcceptedError, 502),
}


def litellm_errors() -> dict[str, type[Exception]]:
    """Every error class that litellm defines."""
    module = load_litellm().exceptions
    classes = inspect.getmembers(module, inspect.isclass)
    return {
        name: kind
        for name, kind in classes
        if issubclass(kind, Exception) and kind.__module__ == module.__name__
    }


def blank(kind: type[Exception], **attributes: object) -> Exception:
    """An instance made without the constructor, whose arguments differ by class."""
    error = kind.__new__(kind)
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


@pytest.fixture
def capfd_and_log(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Callable[[], str]:
    """All output and log lines, of libraries, too."""
    caplog.set_level(logging.DEBUG)
    return lambda: caplog.text + "".join(capfd.readouterr())


def test_the_table_names_every_error_that_litellm_has() -> None:
    assert sorted(litellm_errors()) == sorted(TABLE)


def test_every_error_of_litellm_is_mapped_by_its_name_or_a_base() -> None:
    for name, kind in litellm_errors().items():
        assert any(base.__name__ in KNOWN for base in kind.__mro__), name


@pytest.mark.parametrize(("name", "expected"), TABLE.items())
def test_an_error_becomes_ours_with_its_status(name: Any, expected: Any) -> None:
    error = translate(blank(litellm_errors()[name]), TARGET)

    assert (type(error), error.http_status) == expected
    assert "{" not in error.message


def test_an_error_wrapped_mid_stream_is_unwrapped_to_the_core() -> None:
    kinds = litellm_errors()
    headers = httpx.Headers({"retry-after": "7"})
    core = blank(kinds["RateLimitError"], response=httpx.Response(429, headers=headers))
    inner = blank(kinds["MidStreamFallbackError"], original_exception=core)
    outer = blank(kinds["MidStreamFallbackError"], original_exception=inner)

    error = translate(outer, TARGET)

    assert isinstance(error, ours.RateLimitedError)
    assert error.retry_after_s == 7


def test_an_unknown_error_is_told_apart_by_its_status() -> None:
    kinds = litellm_errors()

    assert isinstance(translate(KeyError("x"), TARGET), ours.ModelUnavailableError)
    refused = translate(blank(kinds["APIError"], status_code=422), TARGET)
    assert isinstance(refused, ours.ModelRefusedError)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, ours.ModelRefusedError),
        (401, ours.ModelRefusedError),
        (403, ours.ModelRefusedError),
        (404, ours.ModelRefusedError),
        (422, ours.RequestNotAcceptedError),
        (429, ours.RateLimitedError),
        (500, ours.ModelUnavailableError),
        (502, ours.ModelUnavailableError),
        (503, ours.ModelUnavailableError),
    ],
)
def test_a_status_over_the_wire_becomes_ours(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    status: int,
    expected: Any,
) -> None:
    openai_server.by_task["reply"] = Scripted(status=status)

    with pytest.raises(expected):
        complete(ask(), wired())
    with pytest.raises(expected):
        list(open_stream(ask(), wired()))


@pytest.mark.parametrize(
    "silence",
    [
        pytest.param(Scripted(delay_s=10), id="before the head"),
        pytest.param(Scripted(silent_s=10), id="before the first piece"),
        pytest.param(Scripted(text="one two", piece_delay_s=10), id="between pieces"),
    ],
)
def test_a_silence_is_a_timeout_wherever_it_is_by_the_clients_own_clock(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest, silence: Any
) -> None:
    openai_server.script(silence)
    settings = wired(llm_timeout_s=0.2)
    (target,) = list_targets(ask(), settings)

    with pytest.raises(ours.ModelTimeoutError):
        list(stream_answer(ask(), target, settings))


TOO_LONG = [
    (400, "This model's maximum context length is 4096 tokens. However, you requested 9000."),
    (400, "request (20030 tokens) exceeds the available context size (8192 tokens)"),
    (500, "context size has been exceeded"),
    (400, ("Trying to keep the first 9000 tokens when context the overflows. Increase the context "
     "length.")),
    (413, "Request too large for model `any`."),
    (429, "Request too large for any on tokens per min (TPM): Limit 30000, Requested 90000."),
    (400, "prompt is too long: 210000 tokens > 200000 maximum"),
    (400, "Input is too long for requested model."),
]  # fmt: skip


@pytest.mark.parametrize(("status", "words"), TOO_LONG)
def test_servers_say_in_many_ways_that_a_prompt_is_too_long(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    status: int,
    words: str,
) -> None:
    openai_server.by_task["reply"] = Scripted(status=status, error=words)

    for way in (complete, lambda *args: list(open_stream(*args))):
        with pytest.raises(ours.InputTooLongError) as caught:
            way(ask(), wired())
        assert "9000" not in caught.value.message


@pytest.mark.parametrize("status", [401, 429, 503])
def test_other_refusals_do_not_say_too_long(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest, status: int
) -> None:
    openai_server.script(Scripted(status=status, error="Too many requests for this key."))

    with pytest.raises(ours.ThroughlineError) as caught:
        complete(ask(), wired())

    assert not isinstance(caught.value, ours.InputRefusedError)


def test_a_providers_own_words_go_along_without_its_keys(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    words = "Unknown field `frobnicate` for key sk-test-key of org-Ab12Cd34."
    openai_server.script(*[Scripted(status=400, error=words)] * 3)

    with pytest.raises(ours.RequestNotAcceptedError) as caught:
        complete(ask(), wired())

    assert caught.value.provider_said == "Unknown field `frobnicate` for key … of …"
    assert "frobnicate" not in caught.value.message


def test_a_fault_of_our_own_has_no_providers_words() -> None:
    assert translate(KeyError("secret"), TARGET).provider_said is None


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("length", ours.OutOfTokensError),
        ("content_filter", ours.InputRefusedError),
        ("stop", ours.EmptyAnswerError),
    ],
)
def test_an_answer_without_a_word_says_why(
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    reason: str,
    expected: Any,
) -> None:
    openai_server.by_task["reply"] = Scripted(text="", finish_reason=reason)

    for way in (complete, lambda *args: list(open_stream(*args))):
        with pytest.raises(expected):
            way(ask(), wired())


@pytest.mark.parametrize("way", [complete, lambda *args: list(open_stream(*args))])
def test_no_word_of_the_providers_is_logged(
    way: Any,
    openai_server: FakeOpenAI,
    wired: Callable[..., Settings],
    ask: MakeRequest,
    capfd_and_log: Callable[[], str],
) -> None:
    openai_server.script(Scripted(status=401, error="sk-secret-key is wrong"))

    with pytest.raises(ours.ModelRefusedError) as caught:
        way(ask(), wired())

    output = capfd_and_log()
    assert "model.call_failed" in output
    assert "sk-" not in output + "".join(traceback.format_exception(caught.value))
    assert "Traceback" not in output
