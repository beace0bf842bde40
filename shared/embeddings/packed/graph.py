"""The packed model's network as an ONNX graph, with its weights in the same 4 bits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.embeddings.onnx_graph import OUTPUT, TOKENS
from shared.embeddings.packed.packed_file import BLOCK, ZERO, PackedModel

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

OPSET, IR_VERSION = 21, 10
MICROSOFT = "com.microsoft"  # the domain of onnxruntime's own operators
INT8_ACTIVATIONS = 4  # the `accuracy_level` of MatMulNBits, as in the package's own engine
MASKED = -1e9
SMALLEST_OUTSIDE = 4096  # bytes; smaller constants are in the graph itself


def write_packed_graph(model: PackedModel, path: Path) -> None:
    """Write a BERT encoder with mean pooling.

    Its inputs are token ids and attention mask, (texts, tokens). Its outputs are unit vectors,
    (texts, dimension), and the vectors of all tokens, (texts, tokens, dimension).

    The weights are in a file beside it, which onnxruntime maps into memory. So processes share
    them, and of the words only those in use are read.
    """
    import onnx

    weights = path.with_name(path.name + ".weights")
    onnx.save(
        _Network(model).build(),
        str(path),
        save_as_external_data=True,
        location=weights.name,
        size_threshold=SMALLEST_OUTSIDE,
    )
    weights.chmod(path.stat().st_mode)  # onnx makes it readable to its owner alone


class _Network:
    """Collects the nodes and constants of the graph."""

    def __init__(self, model: PackedModel) -> None:
        self._model = model
        self._sizes = model.sizes
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def build(self) -> Any:
        from onnx import TensorProto, helper

        self._add_shapes()
        found = self._embed()
        for layer in range(self._sizes.layers):
            found = self._layer(f"l{layer}.", found)
        self._pool(found)
        hidden = self._sizes.hidden
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        outputs = [
            helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["texts", hidden]),
            helper.make_tensor_value_info(TOKENS, TensorProto.FLOAT, ["texts", "tokens", hidden]),
        ]
        graph = helper.make_graph(self._nodes, "e5", inputs, outputs, self._constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=domains, ir_version=IR_VERSION)

    def _add_shapes(self) -> None:
        import numpy as np

        heads, hidden = self._sizes.heads, self._sizes.hidden
        for name, shape in {
            "split": [0, 0, heads, hidden // heads],
            "join": [0, 0, hidden],
            "tokens_axis": [1],
            "last_axis": [2],
            "middle_axes": [1, 2],
        }.items():
            self._constant(name, np.array(shape, np.int64))
        self._constant("first", np.array(0, np.int64))
        self._constant("second", np.array(1, np.int64))
        self._constant("one", np.float32(1))
        self._constant("masked", np.float32(MASKED))
        self._constant("scale", np.float32((hidden // heads) ** -0.5))

    def _embed(self) -> str:
        """Words, positions and the type of a first text, normalized; and the mask as a bias."""
        import numpy as np
        from onnx import TensorProto, helper

        sizes = self._sizes
        scales, weights = self._model.blocks("emb.word", sizes.vocabulary)
        signed = ((weights.astype(np.int8) - ZERO) & 15).astype(np.uint8)
        self._constants.append(
            helper.make_tensor(
                "words",
                TensorProto.INT4,
                [sizes.vocabulary, sizes.hidden],
                _pack(signed).tobytes(),
                raw=True,
            )
        )
        self._constant("word_scales", scales)
        types = self._model.floats("emb.type").reshape(-1, sizes.hidden)
        positions = self._model.floats("emb.pos").reshape(-1, sizes.hidden)
        self._constant("positions", positions + types[0])
        self._add(
            "GatherBlockQuantized",
            ["words", "input_ids", "word_scales"],
            "said",
            domain=MICROSOFT,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )
        self._add("Shape", ["input_ids"], "shape")
        self._add("Gather", ["shape", "second"], "length", axis=0)
        self._add("Range", ["first", "length", "second"], "places")
        self._add("Gather", ["positions", "places"], "placed", axis=0)
        self._add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
        self._add("Unsqueeze", ["mask", "middle_axes"], "wide_mask")
        self._add("Sub", ["one", "wide_mask"], "absent")
        self._add("Mul", ["absent", "masked"], "bias")
        return self._normalize(self._add("Add", ["said", "placed"], "embedded"), "emb.ln")

    def _layer(self, name: str, given: str) -> str:
        sizes = self._sizes
        heads = {
            part: self._heads(name + part, given, [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3])
            for part in "qkv"
        }
        found = self._add("MatMul", [heads["q"], heads["k"]], name + "products")
        found = self._add("Mul", [found, "scale"], name + "scaled")
        found = self._add("Add", [found, "bias"], name + "biased")
        found = self._add("Softmax", [found], name + "shares", axis=-1)
        found = self._add("MatMul", [found, heads["v"]], name + "attended")
        found = self._add("Transpose", [found], name + "turned", perm=[0, 2, 1, 3])
        found = self._add("Reshape", [found, "join"], name + "joined")
        found = self._linear(name + "ao", found, sizes.hidden)
        found = self._add("Add", [given, found], name + "with_attention")
        attended = self._normalize(found, name + "aln")
        found = self._linear(name + "fi", attended, sizes.feed_forward)
        found = self._add("Gelu", [found], name + "activated")
        found = self._linear(name + "fo", found, sizes.hidden)
        found = self._add("Add", [attended, found], name + "with_feed_forward")
        return self._normalize(found, name + "oln")

    def _heads(self, name: str, given: str, order: list[int]) -> str:
        found = self._linear(name, given, self._sizes.hidden)
        found = self._add("Reshape", [found, "split"], name + ".split")
        return self._add("Transpose", [found], name + ".heads", perm=order)

    def _pool(self, tokens: str) -> None:
        """The mean of the tokens that are no padding, at length 1 (so a sum serves as well)."""
        self._add("Unsqueeze", ["mask", "last_axis"], "token_mask")
        self._add("Mul", [tokens, "token_mask"], "without_padding")
        self._add("ReduceSum", ["without_padding", "tokens_axis"], "sum", keepdims=0)
        self._add("ReduceL2", ["sum", "tokens_axis"], "norm", keepdims=1)
        self._add("Div", ["sum", "norm"], OUTPUT)
        self._add("Identity", [tokens], TOKENS)

    def _linear(self, name: str, given: str, rows: int) -> str:
        scales, weights = self._model.blocks(name + ".w", rows)
        columns = weights.shape[1]
        packed = _pack(weights).reshape(rows, columns // BLOCK, BLOCK // 2)
        self._constant(name + ".weights", packed)
        self._constant(name + ".scales", scales.reshape(-1))
        self._constant(name + ".b", self._model.floats(name + ".b"))
        product = self._add(
            "MatMulNBits",
            [given, name + ".weights", name + ".scales"],
            name + ".product",
            domain=MICROSOFT,
            K=columns,
            N=rows,
            bits=4,
            block_size=BLOCK,
            accuracy_level=INT8_ACTIVATIONS,
        )
        return self._add("Add", [product, name + ".b"], name + ".result")

    def _normalize(self, given: str, name: str) -> str:
        for part in (".w", ".b"):
            self._constant(name + part, self._model.floats(name + part))
        return self._add(
            "LayerNormalization",
            [given, name + ".w", name + ".b"],
            name + ".result",
            axis=-1,
            epsilon=self._sizes.epsilon,
        )

    def _add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _constant(self, name: str, values: Any) -> None:
        import numpy as np
        from onnx import numpy_helper

        array = np.array(values, order="C")
        self._constants.append(numpy_helper.from_array(array, name))


def _pack(weights: Array) -> Array:
    """Two weights of 4 bits in a byte, the first in its lower half."""
    pairs = weights.reshape(-1, 2)
    packed: Array = pairs[:, 0] | (pairs[:, 1] << 4)
    return packed
