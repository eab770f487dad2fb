"""The course over HTTP: its lessons, as a client that knows no rules needs them."""
