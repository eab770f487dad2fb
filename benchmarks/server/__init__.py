"""The server's benchmark: moves, latency, idle connections and spectators beside bare websockets."""
