"""TLS for the server's ports: its certificate, and connections that are not encrypted yet."""
