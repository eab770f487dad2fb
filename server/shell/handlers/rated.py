"""Keep guests out of rated matches, where the host wants that."""

from __future__ import annotations

from doublecross.protocol.common import MatchSettings
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.shell.addresses.sources import EXEMPT
from doublecross.server.shell.peer import Peer


def check_rated(peer: Peer, settings: MatchSettings, limits: ServerLimits) -> None:
    """Check that a player may play a match with these settings.

    Guests from exempt addresses, such as the bots of the server itself, may play any.

    Raises:
        Refused: the match is rated, the player is a guest, and only accounts may play such matches.
    """
    # The token of a guest has no id.
    is_guest = not peer.rights.token_id and peer.source != EXEMPT
    if limits.rated_accounts_only and settings.rated and is_guest:
        raise Refused(
            ErrorCode.MISSING_SCOPE,
            "Only accounts play rated matches here: set a password first, or play a casual match.",
        )
