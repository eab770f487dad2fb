"""Leave out the tests of training where torch is not installed."""

import importlib.util
import os

collect_ignore = (
    []
    if os.environ.get("DOUBLECROSS_NEED_TORCH")
    or (importlib.util.find_spec("torch") and importlib.util.find_spec("onnx"))
    else ["test_train.py"]
)
