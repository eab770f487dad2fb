"""HTTP connections: limits and deadlines around uvicorn, and TLS."""
