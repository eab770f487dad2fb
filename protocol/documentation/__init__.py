"""The protocol's documentation, generated from the messages; see `__main__.py`.

This folder reads and writes files, the rest of `protocol` does not.
"""
