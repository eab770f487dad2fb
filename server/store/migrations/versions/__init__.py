"""One file for each migration, oldest first. A published migration never changes."""
