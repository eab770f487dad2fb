"""Run the connections in a thread of their own, and queue their pictures for Tk's thread."""
