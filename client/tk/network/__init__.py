"""Run the connections in a thread of their own, and queue their snapshots for Tk's thread."""
