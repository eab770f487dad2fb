"""The core of tournaments, without I/O: who plays whom next, and the resulting table."""
