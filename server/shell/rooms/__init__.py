"""The rooms as the shell runs them: channels, publishing, following, opening, scheduling."""
