"""LangChain's and simonw's `llm` at a real site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import llm
import pytest
from pydantic import SecretStr

from shared.settings import Settings
from tests.e2e.openai.talks import MODEL, WHILE_LOADING, Account, Said, Talk, check_talk


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """LangChain closes none of its own."""
    with httpx.Client(timeout=60) as client:
        yield client


def test_langchain_is_remembered(account: Account, http: httpx.Client) -> None:
    from langchain_openai import ChatOpenAI  # takes a second, in each process that collects

    model = ChatOpenAI(
        base_url=account.base_url,
        api_key=SecretStr(account.key),
        model=MODEL,
        http_client=http,
    )

    def send(messages: list[Said]) -> str:
        return str(model.invoke(messages).content)

    check_talk(account, lambda: Talk(send, system="Be brief."), "marmot", "Hazelmere")


def test_langchain_embeds_texts(account: Account, http: httpx.Client) -> None:
    from langchain_openai import OpenAIEmbeddings

    embeddings = OpenAIEmbeddings(
        base_url=account.base_url,
        api_key=SecretStr(account.key),
        model=Settings().embedding_model,
        max_retries=WHILE_LOADING,
        check_embedding_ctx_length=False,  # else it sends the tokens of OpenAI's models
        http_client=http,
    )
    cat, kitten = embeddings.embed_documents(["A cat", "A kitten"])
    assert embeddings.embed_query("A cat") == pytest.approx(cat, abs=1e-6)
    assert kitten != cat


def test_llm_is_remembered(
    account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    model = {"model_id": "memory", "model_name": MODEL, "api_base": account.base_url}
    models = json.dumps([model | {"api_key_name": "throughline"}])  # JSON is YAML
    (tmp_path / "extra-openai-models.yaml").write_text(models)
    (tmp_path / "keys.json").write_text(json.dumps({"throughline": account.key}))

    def make() -> Talk:
        # it keeps the history itself
        conversation = llm.get_model("memory").conversation()

        def send(messages: list[Said]) -> str:
            return str(conversation.prompt(messages[-1]["content"]).text())

        return Talk(send)

    check_talk(account, make, "lynx", "Fernwhistle")
