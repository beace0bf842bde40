"""The packed model's network as an ONNX graph, with its words in 4 bits and its layers in 8.

The layers are in 4 bits in the file. In 8 bits, the same products take less than half the time.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.embeddings.onnx_graph import OUTPUT, TOKENS
from shared.embeddings.packed.packed_file import BLOCK, ZERO, PackedModel
from shared.embeddings.packed.products import Products, floats_of

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

OPSET, IR_VERSION = 21, 10
MICROSOFT = "com.microsoft"  # the domain of onnxruntime's own operators
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
        self._products = Products(self)

    def build(self) -> Any:
        from onnx import TensorProto, helper

        self._add_shapes()
        tensor = self._embed()
        for layer in range(self._sizes.layers):
            tensor = self._layer(f"l{layer}.", tensor)
        self._pool(tensor)
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
            self.constant(name, np.array(shape, np.int64))
        self.constant("first", np.array(0, np.int64))
        self.constant("second", np.array(1, np.int64))
        self.constant("one", np.float32(1))
        self.constant("masked", np.float32(MASKED))
        self.constant("scale", np.float32((hidden // heads) ** -0.5))

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
        self.constant("word_scales", scales)
        types = self._model.floats("emb.type").reshape(-1, sizes.hidden)
        positions = self._model.floats("emb.pos").reshape(-1, sizes.hidden)
        self.constant("positions", positions + types[0])
        self.add(
            "GatherBlockQuantized",
            ["words", "input_ids", "word_scales"],
            "said",
            domain=MICROSOFT,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )
        self.add("Shape", ["input_ids"], "shape")
        self.add("Gather", ["shape", "second"], "length", axis=0)
        self.add("Range", ["first", "length", "second"], "places")
        self.add("Gather", ["positions", "places"], "placed", axis=0)
        self.add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
        self.add("Unsqueeze", ["mask", "middle_axes"], "wide_mask")
        self.add("Sub", ["one", "wide_mask"], "absent")
        self.add("Mul", ["absent", "masked"], "bias")
        return self._normalize(self.add("Add", ["said", "placed"], "embedded"), "emb.ln")

    def _layer(self, name: str, tensor: str) -> str:
        heads = self._heads(name, tensor)
        output = self.add("MatMul", [heads["q"], heads["k"]], name + "products")
        output = self.add("Mul", [output, "scale"], name + "scaled")
        output = self.add("Add", [output, "bias"], name + "biased")
        output = self.add("Softmax", [output], name + "shares", axis=-1)
        output = self.add("MatMul", [output, heads["v"]], name + "attended")
        output = self.add("Transpose", [output], name + "turned", perm=[0, 2, 1, 3])
        output = self.add("Reshape", [output, "join"], name + "joined")
        output = self._linear(name, ["ao"], output)
        output = self.add("Add", [tensor, output], name + "with_attention")
        attended = self._normalize(output, name + "aln")
        output = self._linear(name, ["fi"], attended)
        output = self.add("Gelu", [output], name + "activated")
        output = self._linear(name, ["fo"], output, is_gelu=True)
        output = self.add("Add", [attended, output], name + "with_feed_forward")
        return self._normalize(output, name + "oln")

    def _heads(self, name: str, tensor: str) -> dict[str, str]:
        """Queries, keys and values, which are one product, split by heads."""
        from onnx import helper

        product = self._linear(name, ["q", "k", "v"], tensor)
        parts = {part: name + part for part in "qkv"}
        self._nodes.append(
            helper.make_node("Split", [product], list(parts.values()), axis=-1, num_outputs=3)
        )
        for part, output in parts.items():
            order = [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]
            split = self.add("Reshape", [output, "split"], output + ".split")
            parts[part] = self.add("Transpose", [split], output + ".heads", perm=order)
        return parts

    def _pool(self, tokens: str) -> None:
        """The mean of the tokens that are no padding, at length 1 (so a sum serves as well)."""
        self.add("Unsqueeze", ["mask", "last_axis"], "token_mask")
        self.add("Mul", [tokens, "token_mask"], "without_padding")
        self.add("ReduceSum", ["without_padding", "tokens_axis"], "sum", keepdims=0)
        self.add("ReduceL2", ["sum", "tokens_axis"], "norm", keepdims=1)
        self.add("Div", ["sum", "norm"], OUTPUT)
        self.add("Identity", [tokens], TOKENS)

    def _linear(self, layer: str, parts: list[str], tensor: str, *, is_gelu: bool = False) -> str:
        """One product with the weights of all parts, and their biases."""
        import numpy as np

        name = layer + "".join(parts)
        biases = [self._model.floats(f"{layer}{part}.b") for part in parts]
        weights = [
            floats_of(self._model.blocks(f"{layer}{part}.w", len(bias)))
            for part, bias in zip(parts, biases, strict=True)
        ]
        self.constant(name + ".b", np.concatenate(biases))
        product = self._products.multiply(tensor, np.concatenate(weights), name, is_gelu=is_gelu)
        return self.add("Add", [product, name + ".b"], name + ".result")

    def _normalize(self, tensor: str, name: str) -> str:
        for part in (".w", ".b"):
            self.constant(name + part, self._model.floats(name + part))
        return self.add(
            "LayerNormalization",
            [tensor, name + ".w", name + ".b"],
            name + ".result",
            axis=-1,
            epsilon=self._sizes.epsilon,
        )

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, name: str, values: Any) -> None:
        import numpy as np
        from onnx import numpy_helper

        array = np.array(values, order="C")
        self._constants.append(numpy_helper.from_array(array, name))


def _pack(weights: Array) -> Array:
    """Two weights of 4 bits in a byte, the first in its lower half."""
    pairs = weights.reshape(-1, 2)
    packed: Array = pairs[:, 0] | (pairs[:, 1] << 4)
    return packed
