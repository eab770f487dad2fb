"""List the requests that may be sent again when a former owner may have carried them out."""

from __future__ import annotations

from typing import Final

from doublecross.protocol import client_messages as cm

SAFE: Final[frozenset[type[cm.Request]]] = frozenset(
    {
        # The ply and the number of takebacks identify these.
        cm.Move,
        cm.AskTakeback,
        cm.AnswerTakeback,
        # They have an idempotency key.
        cm.CreateRoom,
        cm.Seek,
        cm.QuickMatch,
        cm.Challenge,
        cm.AcceptSeek,
        cm.AcceptChallenge,
        cm.ArrangeMatch,
        cm.CreateTournament,
        # They only read.
        cm.Watch,
        cm.Resume,
        cm.GetTournament,
        cm.GetRecord,
        cm.GetReview,
        cm.GetGames,
        cm.GetTalk,
        cm.GetPlan,
        cm.GetTies,
        cm.GetAdvice,
        cm.GetEvaluation,
        cm.Ping,
        # The second time changes nothing.
        cm.AllowAdvice,
        cm.SetTie,
        cm.SetPlan,
        cm.AddBots,
    }
)
"""The requests that may be sent twice.

All others are left to the client, which knows what it has seen: its connection ends, and it asks
again as after every broken connection (`client/core/resend.py`).
"""
