"""Leave out the tests that need torch where it is not installed: only training needs it."""

import importlib.util

collect_ignore = (
    []
    if importlib.util.find_spec("torch") and importlib.util.find_spec("onnx")
    else ["test_jobs.py", "test_learning.py"]
)
