"""Mirror the server's state in the client, without I/O."""
