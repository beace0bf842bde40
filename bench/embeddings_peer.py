"""The embedding model for sentence-transformers, the peer in `bench.embeddings`.

The weights of the packed model are unpacked into a BERT of transformers. So both compute the same
vectors: their cosines are above 0.997.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shared.embeddings.model_files import locate_model
from shared.embeddings.packed.packed_file import BLOCK, ZERO, PackedModel, read_packed
from shared.embeddings.packed.tokenizer import SPECIAL
from shared.settings import Settings

LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
EMBEDDED = {"emb.pos": "position_embeddings", "emb.type": "token_type_embeddings"}

Encode = Callable[[Sequence[str], int], object]


def open_peer(folder: Path) -> Encode:
    """A function of texts and a batch size."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return lambda texts, size: model.encode_document(
        list(texts), batch_size=size, normalize_embeddings=True, show_progress_bar=False
    )


def write_peer(settings: Settings, folder: Path) -> None:
    """Write the model of the settings as a sentence-transformers folder."""
    from sentence_transformers import SentenceTransformer, models

    files = locate_model(settings)
    if not files.packed:
        SentenceTransformer(str(files.folder), device="cpu").save(str(folder))
        return
    packed = read_packed(files.packed)
    bert, tokenizer = folder / "bert", _tokenizer(packed)
    _bert(packed).save_pretrained(bert)
    tokenizer.save_pretrained(bert)
    parts = [models.Transformer(str(bert)), models.Pooling(packed.sizes.hidden), models.Normalize()]
    prompts = {"query": "query: ", "document": "passage: "}
    SentenceTransformer(modules=parts, prompts=prompts, device="cpu").save(str(folder))


def _bert(packed: PackedModel) -> Any:
    from transformers import BertConfig, BertModel

    sizes = packed.sizes
    config = BertConfig(
        vocab_size=sizes.vocabulary,
        hidden_size=sizes.hidden,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        intermediate_size=sizes.feed_forward,
        max_position_embeddings=sizes.positions,
        type_vocab_size=len(packed.floats("emb.type")) // sizes.hidden,
        layer_norm_eps=sizes.epsilon,
    )
    bert = BertModel(config, add_pooling_layer=False)
    bert.load_state_dict(_weights(packed), strict=True)
    return bert


def _weights(packed: PackedModel) -> dict[str, Any]:
    import torch

    sizes, weights = packed.sizes, {}
    weights["embeddings.word_embeddings.weight"] = _unpack(packed, "emb.word", sizes.vocabulary)
    for name, full in EMBEDDED.items():
        weights[f"embeddings.{full}.weight"] = packed.floats(name).reshape(-1, sizes.hidden)
    norms = {"emb.ln": "embeddings.LayerNorm"}
    for number in range(sizes.layers):
        here, there = f"l{number}.", f"encoder.layer.{number}."
        norms |= {here + name: there + full for name, full in NORMS.items()}
        for name, full in LAYER.items():
            rows = sizes.feed_forward if name == "fi" else sizes.hidden
            weights[f"{there}{full}.weight"] = _unpack(packed, f"{here}{name}.w", rows)
            weights[f"{there}{full}.bias"] = packed.floats(f"{here}{name}.b")
    for name, full in norms.items():
        weights[f"{full}.weight"] = packed.floats(f"{name}.w")
        weights[f"{full}.bias"] = packed.floats(f"{name}.b")
    return {name: torch.from_numpy(np.array(values)) for name, values in weights.items()}


def _unpack(packed: PackedModel, name: str, rows: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    scales, weights = packed.blocks(name, rows)
    blocks = (weights.astype(np.float32) - ZERO).reshape(rows, -1, BLOCK)
    full: np.ndarray[Any, np.dtype[np.float32]] = (blocks * scales[:, :, None]).reshape(rows, -1)
    return full


def _tokenizer(packed: PackedModel) -> Any:
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.Unigram(list(packed.pieces), packed.unknown, False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    begin, pad, end, unknown = SPECIAL
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        special_tokens=[(begin, SPECIAL.index(begin)), (end, SPECIAL.index(end))],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=packed.sizes.positions,
        cls_token=begin,
        pad_token=pad,
        sep_token=end,
        unk_token=unknown,
    )
