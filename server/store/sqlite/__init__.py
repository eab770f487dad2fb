"""SQLite: its file and lock, its connections, and the thread that writes."""
