"""The I/O around rooms: channels, publishing, following, opening and scheduling."""
