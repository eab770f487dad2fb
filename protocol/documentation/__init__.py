"""The generator of the protocol's documentation; see `__main__.py`.

Only this folder of `protocol` reads and writes files.
"""
