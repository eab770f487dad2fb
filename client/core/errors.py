"""What can go wrong between this client and its server.

::

    ClientError(Exception)        one sentence for people
    +-- RequestRefused            the server refused one request; carries the stable code
    +-- Unreachable               no server there, or none that speaks this protocol
    +-- ConnectionEnded           this client is done and will not reconnect

A request that is not answered in time raises the built-in `TimeoutError`.
"""

from __future__ import annotations


class ClientError(Exception):
    """Base of the client's errors; its text is one sentence for people."""


class RequestRefused(ClientError):  # noqa: N818 - see the tree above
    """The server refused a request, which then changed nothing.

    `code` is one of `protocol.errors.ErrorCode` or, from a newer server, another string; this
    client adds `unreadable_answer` and `unexpected_answer`. `sentence` is for people.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = str(code)
        self.sentence = sentence


class Unreachable(ClientError):  # noqa: N818 - see the tree above
    """No server answers at the address, or what answers does not speak this protocol.

    `lasting` says that trying again will not help: something else listens there.
    """

    def __init__(self, sentence: str, *, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.lasting = lasting


class ConnectionEnded(ClientError):  # noqa: N818 - see the tree above
    """The connection is over for good: closed by this client, replaced, refused or thrown out.

    `close_code` is the websocket close code where the server sent one.
    """

    def __init__(self, sentence: str, close_code: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.close_code = close_code
