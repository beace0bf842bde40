"""Each of litellm's errors → ours → HTTP status."""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable

import httpx
import pytest

from shared import errors as ours
from shared.llm import complete, open_stream
from shared.llm.failures import KNOWN, translate
from shared.llm.library import load_litellm
from shared.llm.targets import Target
from tests.fakes.openai_server import Scripted

TARGET = Target(model="some/model", provider="some", name="some/model")

TABLE = {
    "APIConnectionError": (ours.ModelUnavailableError, 503),
    "APIError": (ours.ModelUnavailableError, 503),
    "APIResponseValidationError": (ours.ModelOutputError, 502),
    "AuthenticationError": (ours.ModelRefusedError, 502),
    "BadGatewayError": (ours.ModelUnavailableError, 503),
    "BadRequestError": (ours.ModelRefusedError, 502),
    "BlockedPiiEntityError": (ours.ModelRefusedError, 502),
    "BudgetExceededError": (ours.ModelRefusedError, 502),
    "ContentPolicyViolationError": (ours.ModelRefusedError, 502),
    "ContextWindowExceededError": (ours.ModelRefusedError, 502),
    "GuardrailRaisedException": (ours.ModelRefusedError, 502),
    "ImageFetchError": (ours.ModelRefusedError, 502),
    "InternalServerError": (ours.ModelUnavailableError, 503),
    "InvalidRequestError": (ours.ModelRefusedError, 502),
    "JSONSchemaValidationError": (ours.ModelOutputError, 502),
    "LiteLLMUnknownProvider": (ours.ModelRefusedError, 502),
    "MidStreamFallbackError": (ours.ModelUnavailableError, 503),
    "MockException": (ours.ModelUnavailableError, 503),
    "ModelNotMappedError": (ours.ModelRefusedError, 502),
    "ModifyResponseException": (ours.ModelRefusedError, 502),
    "NotFoundError": (ours.ModelRefusedError, 502),
    "OpenAIError": (ours.ModelUnavailableError, 503),
    "PaymentRequiredError": (ours.ModelRefusedError, 502),
    "PermissionDeniedError": (ours.ModelRefusedError, 502),
    "RateLimitError": (ours.RateLimitedError, 503),
    "RejectedRequestError": (ours.ModelRefusedError, 502),
    "SensitiveDataRouteException": (ours.ModelRefusedError, 502),
    "ServiceUnavailableError": (ours.ModelUnavailableError, 503),
    "Timeout": (ours.ModelTimeoutError, 504),
    "UnprocessableEntityError": (ours.ModelRefusedError, 502),
    "UnsupportedParamsError": (ours.ModelRefusedError, 502),
    "VectorStoreSearchError": (ours.ModelRefusedError, 502),
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
    """An instance without its constructor, of which each class has another."""
    error = kind.__new__(kind)
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


@pytest.fixture
def capfd_and_log(capfd, caplog) -> Callable[[], str]:
    """All that was printed or logged, by whomever."""
    caplog.set_level(logging.DEBUG)
    return lambda: caplog.text + "".join(capfd.readouterr())


def test_the_table_names_every_error_that_litellm_has():
    assert sorted(litellm_errors()) == sorted(TABLE)


def test_every_error_of_litellm_is_mapped_by_its_name_or_a_base():
    for name, kind in litellm_errors().items():
        assert any(base.__name__ in KNOWN for base in kind.__mro__), name


@pytest.mark.parametrize(("name", "expected"), TABLE.items())
def test_an_error_becomes_ours_with_its_status(name, expected):
    error = translate(blank(litellm_errors()[name]), TARGET)

    assert (type(error), error.http_status) == expected
    assert "{" not in error.message


def test_an_error_wrapped_mid_stream_is_unwrapped_to_the_core():
    kinds = litellm_errors()
    headers = httpx.Headers({"retry-after": "7"})
    core = blank(kinds["RateLimitError"], response=httpx.Response(429, headers=headers))
    inner = blank(kinds["MidStreamFallbackError"], original_exception=core)
    outer = blank(kinds["MidStreamFallbackError"], original_exception=inner)

    error = translate(outer, TARGET)

    assert isinstance(error, ours.RateLimitedError)
    assert error.retry_after_s == 7


def test_an_unknown_error_is_told_apart_by_its_status():
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
        (429, ours.RateLimitedError),
        (500, ours.ModelUnavailableError),
        (502, ours.ModelUnavailableError),
        (503, ours.ModelUnavailableError),
    ],
)
def test_a_status_over_the_wire_becomes_ours(openai_server, wired, ask, status, expected):
    openai_server.script(Scripted(status=status), Scripted(status=status))

    with pytest.raises(expected):
        complete(ask(), wired())
    with pytest.raises(expected):
        list(open_stream(ask(), wired()))


@pytest.mark.parametrize("way", [complete, lambda *args: list(open_stream(*args))])
def test_no_word_of_the_providers_is_told(way, openai_server, wired, ask, capfd_and_log):
    openai_server.script(Scripted(status=401, error="sk-secret-key is wrong"))

    with pytest.raises(ours.ModelRefusedError) as caught:
        way(ask(), wired())

    written = capfd_and_log()
    assert "model_call_failed" in written
    assert "sk-" not in written + "".join(traceback.format_exception(caught.value))
    assert "Traceback" not in written
