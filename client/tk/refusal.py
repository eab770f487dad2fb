"""The error that work in the background fails with, for people."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - a result for Tk's thread, which does not raise it
    """The reason why work failed: a sentence for people, and the code if the server refused."""

    def __init__(self, sentence: str, code: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
