"""The HTTP interface for the host and for admins."""
