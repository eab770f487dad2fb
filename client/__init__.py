"""Share what every client needs: a mirror of the server's state, and a connection to it."""
