"""The shell of the server: connections, storage of events, HTTP, start and stop."""
