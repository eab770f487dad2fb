"""The benchmark of the server: moves, latency, spectators and idle connections."""
