"""Write a network as an ONNX file, for `doublecross.bots.zero.net`.

The file is built operation by operation, because the exporter of torch takes many seconds and a run
writes a file every minute. It evaluates boards of one size at a time, of any size, and therefore
has no masks. A test compares its outputs with those of torch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from doublecross.bots.training.learning.model import SUM_UNIT, PolicyNet
from doublecross.bots.zero.net import FORMAT, INPUT, OUTPUTS

_OPSET = 17
_IR_VERSION = 8
"""Old enough for every onnxruntime that the player accepts."""


class GraphBuilder:
    """Collects the operations and constants of a graph."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._weights = weights

    def constant(self, name: str, value: Any) -> str:
        """Add a constant and return its name."""
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, *inputs: str, to: str | None = None, **attributes: Any) -> str:
        """Add an operation and return the name of its output."""
        name = to or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def convolve(self, layer: str, x: str, to: str | None = None) -> str:
        """Add the convolution `layer` of the network."""
        weight = self._weights[f"{layer}.weight"].detach().cpu().numpy()
        bias = self._weights[f"{layer}.bias"].detach().cpu().numpy()
        pads = [weight.shape[-1] // 2] * 4
        return self.add(
            "Conv",
            x,
            self.constant(f"{layer}.weight", np.ascontiguousarray(weight)),
            self.constant(f"{layer}.bias", np.ascontiguousarray(bias)),
            to=to,
            pads=pads,
        )

    def pool(self, x: str) -> str:
        """Add sum, mean and maximum over all cells."""
        total = self.add("ReduceSum", x, "axes", keepdims=1)
        mean = self.add("GlobalAveragePool", x)
        return self.add(
            "Concat",
            self.add("Div", total, "sum_unit"),
            mean,
            self.add("GlobalMaxPool", x),
            axis=1,
        )

    def relu(self, x: str) -> str:
        """Add a rectifier."""
        return self.add("Relu", x)


def onnx_bytes(net: PolicyNet, game: str, about: Mapping[str, Any]) -> bytes:
    """Return the ONNX file of `net` for `game`; `about` says what made it."""
    shape = net.shape
    build = GraphBuilder(net.state_dict())
    build.constant("axes", np.array([2, 3], np.int64))
    build.constant("sum_unit", np.array(SUM_UNIT, np.float32))
    build.constant("axis", np.array([1], np.int64))
    x = build.convolve("stem", INPUT)
    for number, block in enumerate(net.blocks):
        name = f"blocks.{number}"
        y = build.relu(build.convolve(f"{name}.first", build.relu(x)))
        if block.pool is not None:
            y = build.relu(build.add("Add", y, build.convolve(f"{name}.pool", build.pool(y))))
        x = build.add("Add", x, build.convolve(f"{name}.second", y))
    x = build.relu(x)
    policy, score, ownership = OUTPUTS
    seen = build.convolve("policy_pool", build.pool(x))
    edges = build.relu(build.add("Add", build.convolve("policy", x), seen))
    build.convolve("policy_out", edges, policy)
    hidden = build.pool(build.relu(build.convolve("score", x)))
    hidden = build.relu(build.convolve("score_hidden", hidden))
    build.add("Flatten", build.convolve("score_out", hidden), to=score, axis=1)
    build.add("Squeeze", build.convolve("ownership", x), "axis", to=ownership)
    graph = helper.make_graph(
        build.nodes,
        "zero",
        [_tensor(INPUT, ("n", shape.planes, "height", "width"))],
        [
            _tensor(policy, ("n", shape.actions, "height", "width")),
            _tensor(score, ("n", 2 * shape.span + 1)),
            _tensor(ownership, ("n", "height", "width")),
        ],
        build.constants,
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="doublecross",
    )
    metadata = {
        "format": str(FORMAT),
        "game": game,
        "planes": str(shape.planes),
        "span": str(shape.span),
        "about": json.dumps(dict(about), sort_keys=True),
    }
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString(deterministic=True))


def _tensor(name: str, shape: tuple[int | str, ...]) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
