"""Let the host and admins see what happens on a running server, and act."""
