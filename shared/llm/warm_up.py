"""Load ahead of time what the first call to the site's models needs."""

from __future__ import annotations

from collections.abc import Callable

from shared.llm.client import complete
from shared.llm.request import ChatMessage, ModelRequest
from shared.llm.targets import Way, list_targets
from shared.llm.token_counts import count_tokens
from shared.settings import STAND_IN_MODEL, Settings

HELLO = ChatMessage(role="user", content="Hello")


def warm_up(settings: Settings) -> None:
    """Load the encoding, and make the clients of the models' providers.

    Takes about 5 s of CPU with a model that is asked through litellm, else below one. Call it in a
    background thread.
    """
    count_tokens(settings.chat_model)(HELLO.content)
    for way in _list_ways(settings):
        LOADERS[way](settings)


def _list_ways(settings: Settings) -> set[Way]:
    models = (settings.chat_model, settings.effective_memory_model)
    requests = [ModelRequest(model=name, messages=(HELLO,), purpose="reply") for name in models]
    return {target.way for request in requests for target in list_targets(request, settings)}


def _ask_stand_in(settings: Settings) -> None:
    alone = settings.model_copy(update={"llm_fallbacks": ()})
    complete(ModelRequest(model=STAND_IN_MODEL, messages=(HELLO,), purpose="reply"), alone)


def _make_http_client(settings: Settings) -> None:
    from shared.llm.providers.http_client import model_client

    model_client()


def _load_litellm(settings: Settings) -> None:
    """Its client of OpenAI, by which it calls most providers, imports its parts at the first call.

    So does litellm. The answer of the call that is made here is given beforehand.
    """
    import openai

    from shared.llm.providers.litellm_setup import load_litellm

    litellm = load_litellm()
    with openai.OpenAI(api_key="none") as client:
        _completions = client.chat.completions
    messages = [{"role": HELLO.role, "content": HELLO.content}]
    answer = litellm.completion(
        model="openai/any",
        messages=messages,
        mock_response="Hello",
        stream=True,
        stream_options={"include_usage": True},
        api_key="none",
    )
    for _ in answer:
        pass


LOADERS: dict[Way, Callable[[Settings], None]] = {
    "stand_in": _ask_stand_in,
    "direct": _make_http_client,
    "litellm": _load_litellm,
}
