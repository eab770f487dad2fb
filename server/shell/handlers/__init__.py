"""One handler for each request of a client: check it, and call the service that it is for."""
