"""Make tiny networks: one layer of random or given weights, of the same form as trained ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from doublecross.bots.zero.net import SPAN
from doublecross.bots.zero.planes import PLANES

GAME = "dots-and-boxes"


def save_net(
    path: Path,
    seed: int = 1,
    *,
    policy: NDArray[np.float32] | None = None,
    score: NDArray[np.float32] | None = None,
    game: str = GAME,
    planes: int = PLANES,
    actions: int = 2,
    span: int = SPAN,
    **metadata: str,
) -> Path:
    """Write a network to `path` and return `path`.

    `policy` (actions, planes, 3, 3) are the weights for the actions of a cell, and `score`
    (planes, 2 * span + 1) those for the mean of each plane; by default both are random.
    """
    rng = np.random.default_rng(seed)
    if policy is None:
        policy = rng.normal(0, 0.3, (actions, planes, 3, 3)).astype(np.float32)
    if score is None:
        score = rng.normal(0, 0.3, (planes, 2 * span + 1)).astype(np.float32)
    owner = rng.normal(0, 0.3, (1, planes, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["planes", "wp"], ["policy"], pads=[1, 1, 1, 1]),
        helper.make_node("ReduceMean", ["planes"], ["mean"], axes=[2, 3], keepdims=0),
        helper.make_node("MatMul", ["mean", "ws"], ["score"]),
        helper.make_node("Conv", ["planes", "wo"], ["owned"], pads=[1, 1, 1, 1]),
        helper.make_node("Squeeze", ["owned", "axis"], ["ownership"]),
    ]
    names = {"wp": policy, "ws": score, "wo": owner, "axis": np.array([1], np.int64)}
    shape = ["n", planes, "rows", "cols"]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, shape)],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
            for name in ("policy", "score", "ownership")
        ],
        [numpy_helper.from_array(array, name) for name, array in names.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    about = json.dumps({"command": "tiny", "seed": seed, "figures": {}})
    values = {"format": "1", "game": game, "planes": str(planes), "span": str(span)}
    helper.set_model_props(model, {**values, "about": about, **metadata})
    onnx.save(model, str(path))
    return path
