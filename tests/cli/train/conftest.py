"""Leave out the tests of training where torch is not installed."""

import importlib.util

collect_ignore = (
    []
    if importlib.util.find_spec("torch") and importlib.util.find_spec("onnx")
    else ["test_train.py"]
)
