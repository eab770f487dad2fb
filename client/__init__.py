"""What every client shares: the mirror of the server's state and the reconnecting connection."""
