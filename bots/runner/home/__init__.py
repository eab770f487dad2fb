"""The settings of a bot that joins a server, in a file: its `tables`, `reading`, and its `text`.

It is a folder because the file has an example, `example.toml`.
"""
