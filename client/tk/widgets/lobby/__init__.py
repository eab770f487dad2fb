"""Parts of the lobby."""
