"""Cores for nodes of ONNX graphs that only move data: ``Transpose``, also between ``Reshape`` nodes, ``Gather`` with constant indices, ``DepthToSpace``.

``operator(model, "transpose_3", lanes=8)`` reads the shape and the type of the data from the graph, and gives the streamed permutation (docs/systems/permute.md)
that does what the node does. Needs the package ``onnx``: ``pip install 'fritillary[onnx]'``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import onnx
import onnx.helper
import onnx.reference
import onnx.shape_inference
from numpy.typing import ArrayLike, NDArray

from ._designs import StreamPlan, permute
from ._errors import UsageError
from ._files import Generated, generate

#: Nodes that give the data another shape and leave its order as it is.
_SHAPES = {"Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"}

#: Nodes that only move data.
_MOVES = _SHAPES | {"DepthToSpace", "Gather", "GatherElements", "GatherND", "Slice", "SpaceToDepth", "Transpose"}

#: What ``permute`` may be told beside the order.
_OPTIONS = {"banks", "pages", "keep", "user"}

#: The most words of an order with stored settings (docs/systems/permute.md).
_TABLE = 1 << 16


@dataclass(frozen=True, eq=False)
class Operator:
    """A node, or a chain of nodes, as a core.

    Attributes:
        nodes: the names of the nodes.
        plan: the streamed permutation of a data set.
        width: bits of a word, from the type of the data.
        shape_in: shape of the data that enters.
        shape_out: shape of the data that leaves.
        data_sets: the data sets that the data is divided into: of a batch each item is one, if the nodes leave the batch as it is.
    """

    nodes: tuple[str, ...]
    plan: StreamPlan
    width: int
    shape_in: tuple[int, ...]
    shape_out: tuple[int, ...]
    data_sets: int

    @property
    def latency(self) -> int:
        """Clock cycles from the first words in to the first words out."""
        return self.plan.latency

    @property
    def cycles(self) -> int:
        """Clock cycles in which the data enters, and in which it leaves, without a pause."""
        return self.plan.cycles * self.data_sets

    def apply(self, data: ArrayLike) -> NDArray[Any]:
        """The data in the order and the shape in which it leaves the core.

        Args:
            data: an array of shape ``shape_in``.

        Raises:
            UsageError: another shape.
        """
        try:
            words = np.asarray(data)
        except ValueError as error:
            raise UsageError(f"the data is no array: {error}") from error
        if words.shape != self.shape_in:
            raise UsageError(f"the data has the shape {words.shape}, but the nodes take {self.shape_in}; give data of this shape")
        return words.reshape(self.data_sets, -1)[:, self.plan.sources()].reshape(self.shape_out)

    def generate(self, folder: str | os.PathLike[str], **flags: Any) -> Generated:
        """Writes Verilog, testbench and datasheet, as ``fritillary.generate`` does; ``flags`` are its flags."""
        return generate(self.plan, self.width, folder, **flags)


def operator(
    model: onnx.ModelProto | str | os.PathLike[str], nodes: str | Sequence[str], *, lanes: int, width: int | None = None, **options: Any
) -> Operator:
    """The core of a node that only moves data, or of a chain of such nodes.

    Args:
        model: a model, or the path of a file with one.
        nodes: the name of a node, or the names of nodes each of which takes the output of the one before.
        lanes: words of a cycle (FINN's SIMD, hls4ml's parallelization). They must divide the words of the data set.
        width: bits of a word. None: those of the type of the data, or of its annotation by QONNX (``finn_datatype``).
        options: of the system ``permute``: ``banks``, ``pages``, ``keep``, ``user``.

    Raises:
        UsageError: no such node, a shape that is not known, a node that does not only move data, or a size that the core does not have.
    """
    others = ", ".join(sorted(set(options) - _OPTIONS))
    if others:
        raise UsageError(f"{others} does not apply: the graph gives the order; the options are {', '.join(sorted(_OPTIONS))}")
    lanes = _whole("lanes", lanes, 2, 1024)
    if width is not None:
        width = _whole("width", width, 1, 1024)
    if not isinstance(model, onnx.ModelProto):
        path = os.fspath(model)
        try:
            model = onnx.load(path)
        except Exception as error:
            raise UsageError(f"{path} is no model of ONNX that can be read: {error}") from error
    if not isinstance(nodes, str) and not (isinstance(nodes, Sequence) and all(isinstance(node, str) for node in nodes)):
        raise UsageError(f"nodes is {nodes!r}; give the name of a node, or the names of a chain of nodes")
    chain = _chain(model, (nodes,) if isinstance(nodes, str) else tuple(nodes))
    try:
        typed = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception as error:
        raise UsageError(f"the shapes of the model cannot be inferred: {error}") from error
    shape, kind = _type(typed, chain[0].input[0])
    moved = _moved(model, chain, shape)
    sources = moved.reshape(-1)
    if not np.array_equal(np.sort(sources), np.arange(sources.size)):
        raise UsageError(f"{_names(chain)} does not move every word to one place: {sources.size} of {prod(shape)} words leave; give nodes that only move data")
    block = _block(sources, lanes)
    if block == lanes:
        raise UsageError(f"{_names(chain)} has data sets of {block} words, which is one cycle of {lanes} lanes; give fewer lanes")
    if np.array_equal(sources[:block], np.arange(block)):
        raise UsageError(f"{_names(chain)} leaves the words in their order, so it needs no core")
    return Operator(
        tuple(node.name for node in chain),
        permute(lanes, **_order(typed, chain, sources[:block]), **options),
        width or _width(model, chain[0].input[0], kind),
        shape,
        moved.shape,
        sources.size // block,
    )


def _whole(key: str, given: Any, least: int, most: int) -> int:
    """A whole number of an argument."""
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or not least <= given <= most:
        raise UsageError(f"{key} is {given!r}; give a whole number from {least} to {most}")
    return int(given)


def _names(chain: Sequence[onnx.NodeProto]) -> str:
    return " -> ".join(f"{node.op_type} {node.name}" for node in chain)


def _chain(model: onnx.ModelProto, names: tuple[str, ...]) -> list[onnx.NodeProto]:
    """The nodes with these names, each behind the one before."""
    by_name = {node.name: node for node in model.graph.node if node.name}
    for name in names:
        if name not in by_name:
            movers = ", ".join(sorted(key for key, node in by_name.items() if node.op_type in _MOVES))
            raise UsageError(f"the graph has no node {name!r}; nodes with a name that move data are: {movers or 'none'}")
        if sum(node.name == name for node in model.graph.node) > 1:
            raise UsageError(f"several nodes are called {name!r}; give each node a name of its own")
        if by_name[name].op_type not in _MOVES or by_name[name].domain not in ("", "ai.onnx"):
            kind = by_name[name].op_type
            raise UsageError(f"{name} is a node of the kind {kind}, which does not only move data; nodes that do are {', '.join(sorted(_MOVES))}")
    chain = [by_name[name] for name in names]
    if not chain:
        raise UsageError("no node is named; give the name of a node, or the names of a chain")
    for before, after in zip(chain, chain[1:]):
        if after.input[0] != before.output[0]:
            raise UsageError(f"{after.name} does not take the output of {before.name}; give nodes in the order of the data")
    return chain


def _type(model: onnx.ModelProto, tensor: str) -> tuple[tuple[int, ...], int]:
    """The shape of a tensor, and the number of its type."""
    graph = model.graph
    for value in [*graph.input, *graph.value_info, *graph.output]:
        if value.name == tensor:
            found = value.type.tensor_type
            shape = tuple(axis.dim_value for axis in found.shape.dim)
            if found.HasField("shape") and all(shape):
                return shape, found.elem_type
            if not found.HasField("shape"):
                break
            named = ", ".join(axis.dim_param or (str(axis.dim_value) if axis.HasField("dim_value") else "?") for axis in found.shape.dim)
            raise UsageError(f"the shape of {tensor} is ({named}), and a core has one shape; give each axis a length of 1 or more, for example a batch of 1")
    raise UsageError(f"the shape of {tensor!r} is not known; give the model the shapes of its inputs")


def _moved(model: onnx.ModelProto, chain: Sequence[onnx.NodeProto], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """What ONNX's own evaluator makes of the numbers of the words."""
    graph, data, result = model.graph, chain[0].input[0], chain[-1].output[0]
    constants = {name for node in graph.node if node.op_type == "Constant" for name in node.output}
    known = constants | {tensor.name for tensor in graph.initializer}
    inner = {node.output[0] for node in chain} | {data, ""}
    for node in chain:
        for name in node.input:
            if name not in inner | known:
                raise UsageError(f"{node.name} takes {name}, which is no constant, so the order is not known; fold the constants of the model before")
    value = onnx.helper.make_tensor_value_info
    part = onnx.helper.make_graph(
        [*(node for node in graph.node if node.op_type == "Constant"), *chain],
        "moved",
        [value(data, onnx.TensorProto.INT64, shape)],
        [value(result, onnx.TensorProto.INT64, None)],
        list(graph.initializer),
    )
    made = onnx.helper.make_model(part, opset_imports=model.opset_import, ir_version=model.ir_version)
    try:
        run = onnx.reference.ReferenceEvaluator(made)
        words: Any = run.run(None, {data: np.arange(prod(shape), dtype=np.int64).reshape(shape)})[0]
    except Exception as error:
        raise UsageError(f"{_names(chain)} cannot be evaluated: {error}") from error
    return np.asarray(words, np.int64)


def _block(sources: NDArray[np.int64], lanes: int) -> int:
    """The words of the shortest data set of whole cycles such that all data sets have the same order."""
    words = sources.size
    for block in (size for size in range(2 * lanes, words, lanes) if words % size == 0):
        sets = sources.reshape(-1, block) - np.arange(0, words, block)[:, None]
        if (sets == sets[0]).all() and sets[0].min() == 0 and sets[0].max() == block - 1:
            return block
    return words


def _order(model: onnx.ModelProto, chain: Sequence[onnx.NodeProto], sources: NDArray[np.int64]) -> dict[str, Any]:
    """The options of ``permute`` for a data set: the axes of its array if there is one transpose, for which there are forms without tables, else a list."""
    turns = [node for node in chain if node.op_type == "Transpose"]
    if len(turns) == 1 and all(node.op_type in _SHAPES for node in chain if node is not turns[0]):
        shape, _ = _type(model, turns[0].input[0])
        given = [list(attribute.ints) for attribute in turns[0].attribute if attribute.name == "perm"]
        axes = given[0] if given else list(reversed(range(len(shape))))
        kept = 0
        while prod(shape[kept:]) > sources.size and axes[kept] == kept:
            kept += 1
        if prod(shape[kept:]) == sources.size:
            moved = ",".join(str(axis - kept) for axis in axes[kept:])
            return {"kind": "axes", "shape": "x".join(map(str, shape[kept:])), "axes": moved}
    if sources.size > _TABLE:
        raise UsageError(f"{_names(chain)} has an order of {sources.size} words that is no exchange of axes; such orders have {_TABLE} words at most")
    return {"gather": sources}


def _width(model: onnx.ModelProto, tensor: str, kind: int) -> int:
    """Bits of a word, by QONNX's annotation or ONNX's type."""
    for annotation in model.graph.quantization_annotation:
        if annotation.tensor_name == tensor:
            for entry in annotation.quant_parameter_tensor_names:
                if entry.key == "finn_datatype":
                    return _quantized(tensor, entry.value)
    name = onnx.TensorProto.DataType.Name(kind)
    sizes = {"FLOAT": 32, "DOUBLE": 64, "BFLOAT16": 16, "BOOL": 8, "COMPLEX64": 64, "COMPLEX128": 128}
    if name in sizes:
        return sizes[name]
    bits = re.match(r"U?INT(\d+)$|FLOAT(\d+)", name)
    if bits is None:
        raise UsageError(f"{tensor} has the type {name}, whose words have no fixed number of bits; give width")
    return int(bits[1] or bits[2])


def _quantized(tensor: str, name: str) -> int:
    """Bits of a type of QONNX: INT4, UINT3, FIXED<8,3>, BIPOLAR, BINARY, TERNARY, FLOAT32."""
    words = {"BIPOLAR": 1, "BINARY": 1, "TERNARY": 2}
    bits = re.match(r"(?:U?INT|FLOAT|S?U?FIXED<|SCALEDINT<)(\d+)", name)
    if name in words:
        return words[name]
    if bits is None or not 1 <= int(bits[1]) <= 1024:
        raise UsageError(f"{tensor} has the annotation {name!r}, which is no type of QONNX; give width")
    return int(bits[1])
