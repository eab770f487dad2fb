"""The HTTP interface of the server."""
