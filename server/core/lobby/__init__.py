"""The lobby: the players online, all rooms, and the offers that lead to rooms."""
