"""Leave out the tests that need torch where it is not installed: only training needs it.

If DOUBLECROSS_NEED_TORCH is set, they run, and fail without it.
"""

import importlib.util
import os

collect_ignore = (
    []
    if os.environ.get("DOUBLECROSS_NEED_TORCH")
    or (importlib.util.find_spec("torch") and importlib.util.find_spec("onnx"))
    else ["test_jobs.py", "test_learning.py"]
)
