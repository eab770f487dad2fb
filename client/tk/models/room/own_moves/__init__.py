"""Moves of this player that the server has not played: chosen early, unconfirmed, or advised."""
