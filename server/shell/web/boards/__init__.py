"""What a client that knows no rules draws: games, geometries, positions and features."""
