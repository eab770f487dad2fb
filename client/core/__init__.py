"""The client's mirror of the server's state, without I/O."""
