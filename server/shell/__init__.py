"""The I/O around the server's core: connections, storage of events, HTTP, start and stop."""
