"""Know the players: names that nobody can confuse, tokens, and who may read private records."""
