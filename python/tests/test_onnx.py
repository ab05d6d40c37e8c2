"""Nodes of ONNX graphs as cores: what ONNX's own shape inference and evaluator say of the nodes is what the core does.

Without the package onnx they do not run, and the report says so.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if importlib.util.find_spec("onnx") is None:
    text = "NOT RUN: the operators of ONNX; onnx missing (pip install './python[onnx]')"
    if os.environ.get("FRIT_REQUIRE_TOOLS") == "1":
        raise ModuleNotFoundError(text)
    pytest.skip(text, allow_module_level=True)

import fritillary  # noqa: E402
import onnx  # noqa: E402
import onnx.helper as make  # noqa: E402
from fritillary.onnx import operator  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

FLOAT = onnx.TensorProto.FLOAT


def graph(nodes: list[Any], shape: list[Any], constants: dict[str, Any] | None = None, kind: int = FLOAT) -> onnx.ModelProto:
    """A model with the input x and the output y."""
    tensors = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in (constants or {}).items()]
    value = make.make_tensor_value_info
    made = make.make_graph(nodes, "g", [value("x", kind, shape)], [value("y", kind, None)], tensors)
    return make.make_model(made, opset_imports=[make.make_opsetid("", 21)], ir_version=10)


def turn(shape: list[Any], perm: list[int], kind: int = FLOAT) -> onnx.ModelProto:
    return graph([make.make_node("Transpose", ["x"], ["y"], name="t", perm=perm)], shape, kind=kind)


def heads() -> onnx.ModelProto:
    """Tokens to heads of an attention: 2 x 16 x 24 -> 2 x 3 x 16 x 8, as Reshape and Transpose."""
    nodes = [
        make.make_node("Reshape", ["x", "to"], ["r"], name="r"),
        make.make_node("Transpose", ["r"], ["y"], name="t", perm=[0, 2, 1, 3]),
    ]
    return graph(nodes, [2, 16, 24], {"to": np.array([0, 0, 3, 8])})


GATHER = np.random.default_rng(7).permutation(40)
MODELS = {
    "transpose": (turn([16, 24], [1, 0]), "t", 8, 1),
    "batch": (turn([4, 12, 8], [0, 2, 1]), "t", 4, 4),
    "axes": (turn([1, 8, 3, 4], [0, 2, 1, 3]), "t", 4, 1),
    "heads": (heads(), ["r", "t"], 8, 2),
    "gather": (graph([make.make_node("Gather", ["x", "i"], ["y"], name="g", axis=1)], [3, 40], {"i": GATHER}), "g", 5, 3),
    "pixels": (graph([make.make_node("DepthToSpace", ["x"], ["y"], name="d", blocksize=2)], [1, 8, 6, 4]), "d", 6, 1),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_core_does_what_the_nodes_do(name: str) -> None:
    model, nodes, lanes, sets = MODELS[name]
    core = operator(model, nodes, lanes=lanes)
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True).graph.output[0].type.tensor_type.shape
    assert core.shape_out == tuple(axis.dim_value for axis in inferred.dim)
    data = np.random.default_rng(1).standard_normal(core.shape_in).astype(np.float32)
    due = ReferenceEvaluator(model).run(None, {"x": data})[0]
    assert np.array_equal(core.apply(data), due)
    assert (core.data_sets, core.width, core.cycles) == (sets, 32, data.size // lanes)
    # The core itself, over its switches and memories: a data set in, the other order out.
    words = np.arange(core.plan.words, dtype=np.uint32)
    ran = fritillary.simulate(core.plan, payload=words)
    assert ran.ok and np.array_equal(np.ravel(ran.received), words[core.plan.sources()])


def test_transposes_have_forms_without_tables() -> None:
    core = operator(turn([64, 256], [1, 0]), "t", lanes=8)
    assert core.plan.facts["form"] == fritillary.transpose(8, 64, 256).facts["form"]
    assert core.latency == fritillary.transpose(8, 64, 256).latency


def test_widths_are_those_of_the_types(tmp_path: Path) -> None:
    for kind, width in (("UINT8", 8), ("INT4", 4), ("FLOAT16", 16), ("BFLOAT16", 16), ("BOOL", 8), ("FLOAT8E4M3FN", 8), ("DOUBLE", 64)):
        assert operator(turn([8, 8], [1, 0], onnx.TensorProto.DataType.Value(kind)), "t", lanes=4).width == width, kind
    for name, width in (("INT3", 3), ("UINT12", 12), ("BIPOLAR", 1), ("TERNARY", 2), ("FIXED<8,3>", 8)):
        model = turn([8, 8], [1, 0])
        entry = onnx.StringStringEntryProto(key="finn_datatype", value=name)
        model.graph.quantization_annotation.append(onnx.TensorAnnotation(tensor_name="x", quant_parameter_tensor_names=[entry]))
        assert operator(model, "t", lanes=4).width == width, name
    onnx.save(turn([8, 8], [1, 0]), tmp_path / "m.onnx")
    made = operator(tmp_path / "m.onnx", "t", lanes=4, width=5).generate(tmp_path / "core")
    assert made.design.endswith("_w5") and (tmp_path / "core").is_dir()


def test_what_is_no_core_is_refused() -> None:
    pick = graph([make.make_node("Gather", ["x", "i"], ["y"], name="g", axis=0)], [40], {"i": np.array([3, 1])})
    chosen = make.make_model(
        make.make_graph(
            [make.make_node("Gather", ["x", "i"], ["y"], name="g", axis=0)],
            "g",
            [make.make_tensor_value_info("x", FLOAT, [4]), make.make_tensor_value_info("i", onnx.TensorProto.INT64, [4])],
            [make.make_tensor_value_info("y", FLOAT, [4])],
        )
    )
    for model, nodes, says in (
        (turn([8, 8], [1, 0]), "u", "no node 'u'; nodes with a name that move data are: t"),
        (turn(["batch", 8], [1, 0]), "t", r"the shape of x is \(batch, 8\)"),
        (turn([8, 8], [0, 1]), "t", "leaves the words in their order"),
        (turn([5, 3], [1, 0]), "t", "no multiple of the 4 words of a cycle"),
        (pick, "g", "does not move every word to one place: 2 of 40 words leave"),
        (chosen, "g", "takes i, which is no constant"),
        (heads(), ["t", "r"], "r does not take the output of t"),
        (heads(), [], "no node is named"),
    ):
        with pytest.raises(fritillary.UsageError, match=says):
            operator(model, nodes, lanes=4)
    # Nodes that compute, alone and between nodes that move.
    relu = [
        make.make_node("Transpose", ["x"], ["a"], name="t", perm=[1, 0]),
        make.make_node("Relu", ["a"], ["b"], name="relu"),
        make.make_node("Transpose", ["b"], ["y"], name="u", perm=[1, 0]),
    ]
    for nodes in (["relu"], ["t", "relu"], ["t", "relu", "u"]):
        with pytest.raises(fritillary.UsageError, match="relu is a node of the kind Relu, which does not only move data"):
            operator(graph(relu, [8, 4]), nodes, lanes=4)
    with pytest.raises(fritillary.UsageError, match="several nodes are called 't'"):
        operator(graph([relu[0], make.make_node("Transpose", ["a"], ["y"], name="t", perm=[1, 0])], [8, 4]), "t", lanes=4)
    model = turn([8, 8], [1, 0])
    for arguments, says in (
        ({"lanes": 0}, "lanes is 0; give a whole number from 2 to 1024"),
        ({"lanes": 2.0}, "lanes is 2.0"),
        ({"lanes": 4, "width": True}, "width is True"),
        ({"lanes": 4, "inverse": "yes"}, "inverse does not apply: the graph gives the order"),
        ({"lanes": 4, "kind": "bitrev"}, "kind does not apply"),
        ({"lanes": 64}, "one cycle of 64 lanes; give fewer lanes"),
    ):
        with pytest.raises(fritillary.UsageError, match=says):
            operator(model, "t", **arguments)
    for nodes in (None, 5, ["t", 5]):
        with pytest.raises(fritillary.UsageError, match="give the name of a node"):
            operator(model, nodes, lanes=4)
    with pytest.raises(fritillary.UsageError, match="is no model of ONNX that can be read"):
        operator(Path(__file__), "t", lanes=4)
    core = operator(turn([8, 8], [1, 0]), "t", lanes=4)
    with pytest.raises(fritillary.UsageError, match="the data is no array"):
        core.apply([[1, 2], [3]])
    with pytest.raises(fritillary.UsageError, match=r"the data has the shape \(64,\)"):
        core.apply(np.arange(64))
