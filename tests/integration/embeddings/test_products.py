"""Products in 8 bits, as onnxruntime computes them, beside products of floats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper, save

from shared.embeddings.packed.products import LOWEST_GELU, WEIGHT_LEVELS, Products, floats_of

COLUMNS, ROWS = 384, 96


class Graph:
    """Nodes and constants of a graph whose input is `given`."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, name: str, values: Any) -> None:
        self.constants[name] = np.array(values, order="C")

    def run(self, output: str, values: Any, path: Path) -> Any:
        shape = ["texts", "tokens", "columns"]
        graph = helper.make_graph(
            self.nodes,
            "products",
            [helper.make_tensor_value_info("given", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
            [numpy_helper.from_array(array, name) for name, array in self.constants.items()],
        )
        opsets = [helper.make_opsetid("", 21)]
        save(helper.make_model(graph, opset_imports=opsets, ir_version=10), str(path))
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        return session.run([output], {"given": values})[0]


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(17)


def error_of(result: Any, expected: Any) -> float:
    """Relative to the size of the expected values."""
    return float(np.linalg.norm(result - expected) / np.linalg.norm(expected))


def test_a_product_is_nearly_that_of_floats(random: np.random.Generator, tmp_path: Path) -> None:
    values = random.normal(size=(2, 7, COLUMNS)).astype(np.float32)
    weights = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    graph = Graph()
    output = Products(graph).multiply("given", weights, "product")
    assert error_of(graph.run(output, values, tmp_path / "graph"), values @ weights.T) < 0.02


def test_each_token_has_its_own_scale(random: np.random.Generator, tmp_path: Path) -> None:
    values = random.normal(size=(1, 2, COLUMNS)).astype(np.float32)
    values[0, 0] *= 1000
    weights = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    graph = Graph()
    output = Products(graph).multiply("given", weights, "product")
    result = graph.run(output, values, tmp_path / "graph")
    assert error_of(result[0, 1], values[0, 1] @ weights.T) < 0.02


def test_results_of_gelu_have_more_levels(random: np.random.Generator, tmp_path: Path) -> None:
    values = np.abs(random.normal(size=(1, 5, COLUMNS))).astype(np.float32)
    values[:, :, ::3] = -random.uniform(0, LOWEST_GELU, values[:, :, ::3].shape)
    weights = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    errors = []
    for is_gelu in (False, True):
        graph = Graph()
        output = Products(graph).multiply("given", weights, "product", is_gelu=is_gelu)
        result = graph.run(output, values, tmp_path / f"graph{is_gelu}")
        errors.append(error_of(result, values @ weights.T))
    assert errors[1] < errors[0]


def test_a_token_of_zeros_gives_zeros(random: np.random.Generator, tmp_path: Path) -> None:
    weights = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    graph = Graph()
    output = Products(graph).multiply("given", weights, "product")
    result = graph.run(output, np.zeros((1, 1, COLUMNS), np.float32), tmp_path / "graph")
    assert not result.any()


def test_what_is_multiplied_twice_is_quantized_once(random: np.random.Generator) -> None:
    weights = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    graph = Graph()
    products = Products(graph)
    products.multiply("given", weights, "first")
    products.multiply("given", weights, "second")
    assert [node.op_type for node in graph.nodes].count("QuantizeLinear") == 1


def test_no_sum_of_two_products_exceeds_16_bits(random: np.random.Generator) -> None:
    """CPUs without VNNI add two products of an unsigned and a signed byte in 16 bits."""
    graph = Graph()
    weights = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    Products(graph).multiply("given", weights, "product")
    packed_weights = graph.constants["product.weights"]
    assert packed_weights.dtype == np.int8
    assert int(np.abs(packed_weights.astype(int)).max()) == WEIGHT_LEVELS
    assert np.iinfo(np.int16).max >= 2 * 255 * WEIGHT_LEVELS


def test_weights_of_4_bits_become_floats() -> None:
    scales = np.array([[0.5, 2]], np.float32)
    weights = np.array([[0] * 32 + [9] * 32], np.uint8)
    floats = floats_of((scales, weights))
    assert floats[0, :32].tolist() == [-4] * 32
    assert floats[0, 32:].tolist() == [2] * 32
