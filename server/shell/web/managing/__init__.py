"""The HTTP interface for managing an account, and the server."""
