"""The authority over rooms: a core without I/O and the shell that puts it on the network."""
