"""The screen of the lobby."""
