"""The vocabulary of the packed model as a tokenizer.json."""

from __future__ import annotations

from pathlib import Path

from shared.embeddings.packed.packed_file import PackedModel

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")  # by their ids


def write_tokenizer(model: PackedModel, path: Path) -> None:
    """Write the tokenizer of XLM-RoBERTa: SentencePiece's unigrams over normalized text.

    The normalizer maps each letter as the file's own table does, but for two rare ones.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(
        models.Unigram(list(model.pieces), unk_id=model.unknown, byte_fallback=False)
    )
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    begin, _pad, end, _unknown = SPECIAL
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        special_tokens=[(begin, SPECIAL.index(begin)), (end, SPECIAL.index(end))],
    )
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.enable_truncation(model.sizes.positions)
    tokenizer.save(str(path))
