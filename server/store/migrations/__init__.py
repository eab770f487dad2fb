"""The migrations that create and upgrade the tables of `server.store.schema`."""
