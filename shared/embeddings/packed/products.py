"""Matrix products in 8 bits as nodes of an ONNX graph.

Every CPU that serves today multiplies bytes far faster than floats or numbers of 4 bits. The
weights get a scale for each output, the activations one for each token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shared.embeddings.packed.packed_file import ZERO

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

#: Weights are -63 to 63. With 127, CPUs without VNNI add two products of bytes to more than their
#: 16 bits hold.
WEIGHT_LEVELS = 63
SYMMETRIC, SYMMETRIC_ZERO = 127, 128  # levels to either side of the byte that stands for 0
# GELU is never below -0.17, so its results need few levels below 0.
POSITIVE, POSITIVE_ZERO = 240, 15
LOWEST_GELU = 0.17
TINY = 1e-9  # instead of a scale of 0, which is that of a token of zeros


class Graph(Protocol):
    """The collector of a graph's nodes and constants."""

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str: ...

    def constant(self, name: str, values: Any) -> None: ...


class Products:
    """Adds products to a graph. What is multiplied several times is quantized once."""

    def __init__(self, graph: Graph) -> None:
        import numpy as np

        self._graph = graph
        self._quantized: dict[str, tuple[str, str]] = {}
        graph.constant("last", np.array([-1], np.int64))
        graph.constant("unit", np.float32(1))
        for name, levels, zero, least in (
            ("symmetric", SYMMETRIC, SYMMETRIC_ZERO, TINY),
            ("positive", POSITIVE, POSITIVE_ZERO, LOWEST_GELU / POSITIVE_ZERO),
        ):
            graph.constant(f"{name}.step", np.float32(1 / levels))
            graph.constant(f"{name}.zero", np.array(zero, np.uint8))
            graph.constant(f"{name}.least", np.float32(least))

    def multiply(self, tensor: str, weights: Array, name: str, *, is_gelu: bool = False) -> str:
        """Multiply `tensor`, (texts, tokens, columns), by `weights`, float32, (rows, columns)."""
        import numpy as np

        add, constant = self._graph.add, self._graph.constant
        scales = np.abs(weights).max(axis=1) / WEIGHT_LEVELS
        constant(f"{name}.weights", np.round(weights / scales[:, None]).astype(np.int8).T)
        constant(f"{name}.scales", scales.astype(np.float32))
        kind = "positive" if is_gelu else "symmetric"
        bytes_, step = self._quantize(tensor, kind)
        output = add("MatMulInteger", [bytes_, f"{name}.weights", f"{kind}.zero"], f"{name}.sums")
        output = add("Cast", [output], f"{name}.cast", to=_float())
        output = add("Mul", [output, step], f"{name}.by_token")
        return add("Mul", [output, f"{name}.scales"], f"{name}.product")

    def _quantize(self, tensor: str, kind: str) -> tuple[str, str]:
        """The bytes, and the scale of each token, (texts, tokens, 1)."""
        if tensor in self._quantized:
            return self._quantized[tensor]
        add, name = self._graph.add, f"{tensor}.{kind}"
        sized = tensor if kind == "positive" else add("Abs", [tensor], f"{name}.sizes")
        output = add("ReduceMax", [sized, "last"], f"{name}.largest", keepdims=1)
        output = add("Mul", [output, f"{kind}.step"], f"{name}.step")
        step = add("Max", [output, f"{kind}.least"], f"{name}.used_step")
        output = add("Div", [tensor, step], f"{name}.steps")
        output = add("QuantizeLinear", [output, "unit", f"{kind}.zero"], f"{name}.bytes")
        self._quantized[tensor] = output, step
        return output, step


def floats_of(blocks: Sequence[Array]) -> Array:
    """The floats, (rows, columns), of weights in 4 bits with the scales of their blocks."""
    import numpy as np

    scales, weights = blocks
    by_block = weights.reshape(*scales.shape, -1).astype(np.float32) - ZERO
    floats: Array = (by_block * scales[:, :, None]).reshape(weights.shape)
    return floats


def _float() -> int:
    from onnx import TensorProto

    return int(TensorProto.FLOAT)
