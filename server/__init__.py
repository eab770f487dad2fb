"""The game server: a core without I/O, and a shell that connects it to network and storage."""
