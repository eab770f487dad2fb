"""The lobby: who is online, which rooms there are, and the offers that lead to rooms."""
