"""Define the errors of a client.

::

    ClientError(Exception)        base; its text is one sentence for people
    +-- RequestRefused            the server refused one request; carries the stable code
    +-- Unreachable               no server answers, or it speaks another protocol
    +-- ConnectionEnded           the connection is over; the client does not reconnect

A request that is not answered in time raises the built-in `TimeoutError`.
"""

from __future__ import annotations

from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.version import CloseCode

_LOGGED_OUT: Final = (ErrorCode.BAD_TOKEN, ErrorCode.TOKEN_EXPIRED)


class ClientError(Exception):
    """Base of the client's errors; `values` fill the template of its sentence for people."""

    def __init__(self, sentence: str, *values: object) -> None:
        self.sentence = Sentence(sentence, *values)
        super().__init__(self.sentence)


class RequestRefused(ClientError):  # noqa: N818 - see the tree above
    """The server refused a request and changed nothing.

    `code` is one of `doublecross.protocol.errors.ErrorCode`, or another string from a newer server.
    The client itself adds the codes `unreadable_answer` and `unexpected_answer`.
    """

    def __init__(self, code: str, sentence: str, *values: object) -> None:
        super().__init__(sentence, *values)
        self.code = str(code)


class Unreachable(ClientError):  # noqa: N818 - see the tree above
    """No server answers at the address, or it does not speak this protocol.

    `lasting` is true when another try cannot help, because the server speaks another protocol.
    """

    def __init__(self, sentence: str, *values: object, lasting: bool = False) -> None:
        super().__init__(sentence, *values)
        self.lasting = lasting


class ConnectionEnded(ClientError):  # noqa: N818 - see the tree above
    """The connection is over, and the client does not reconnect.

    Either this client closed it, or the server refused the client, disconnected it for abuse, ended
    its login, or replaced the connection by a newer one of the same player. `close_code` is the
    websocket close code, or None when the server sent none. `code` is the error code if the server
    refused to take the client back after a break, and otherwise empty.
    """

    def __init__(self, sentence: str, close_code: int | None = None, code: str = "") -> None:
        super().__init__(sentence)
        self.close_code = close_code
        self.code = str(code)

    @property
    def logged_out(self) -> bool:
        """Return whether the token that this client used opens no connection any more."""
        return self.close_code == CloseCode.REVOKED or self.code in _LOGGED_OUT
