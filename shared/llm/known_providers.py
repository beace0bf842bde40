"""The providers that an operator may choose by name, and servers of models on this machine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from urllib.parse import urlsplit

from shared.llm.served_models import list_at
from shared.models.site_models import Protocol

SEARCH_S = 1.0


@dataclass(frozen=True, kw_only=True)
class Provider:
    name: str
    #: The base of OpenAI's protocol there. None: litellm knows the way.
    address: str | None = None
    #: What litellm's names of its models begin with.
    prefix: str = ""
    #: Where an account finds its keys. Empty: none is needed.
    key_page: str = ""

    @property
    def protocol(self) -> Protocol:
        return "openai" if self.address else "litellm"

    @property
    def is_local(self) -> bool:
        return bool(self.address) and urlsplit(self.address or "").hostname == "127.0.0.1"


PROVIDERS = (
    Provider(name="Ollama", address="http://127.0.0.1:11434/v1"),
    Provider(name="LM Studio", address="http://127.0.0.1:1234/v1"),
    Provider(name="llama.cpp", address="http://127.0.0.1:8080/v1"),
    Provider(name="vLLM", address="http://127.0.0.1:8000/v1"),
    Provider(name="Jan", address="http://127.0.0.1:1337/v1"),
    Provider(
        name="OpenAI",
        address="https://api.openai.com/v1",
        key_page="https://platform.openai.com/api-keys",
    ),
    Provider(
        name="Anthropic",
        prefix="anthropic/",
        key_page="https://console.anthropic.com/settings/keys",
    ),
    Provider(name="Google", prefix="gemini/", key_page="https://aistudio.google.com/apikey"),
    Provider(
        name="Mistral",
        address="https://api.mistral.ai/v1",
        key_page="https://console.mistral.ai/api-keys",
    ),
    Provider(
        name="OpenRouter",
        address="https://openrouter.ai/api/v1",
        key_page="https://openrouter.ai/settings/keys",
    ),
    Provider(
        name="Groq",
        address="https://api.groq.com/openai/v1",
        key_page="https://console.groq.com/keys",
    ),
)


def find_running(providers: tuple[Provider, ...], own_port: int) -> dict[str, tuple[str, ...]]:
    """Ask the servers of this machine for their models, all at once, for `SEARCH_S` at most.

    The names by provider. One at the site's own port is the site itself, and is not asked.
    """
    servers = [
        provider
        for provider in providers
        if provider.is_local and urlsplit(provider.address or "").port != own_port
    ]
    pool = ThreadPoolExecutor(max_workers=max(len(servers), 1))
    answers = {p.name: pool.submit(list_at, p.address or "", None, SEARCH_S) for p in servers}
    pool.shutdown(wait=False)
    done, _ = wait(answers.values(), SEARCH_S)
    served = {name: answer.result() for name, answer in answers.items() if answer in done}
    return {name: names for name, names in served.items() if names}
