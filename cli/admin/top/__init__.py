"""The live view of a running server."""
