"""The migrations that create and upgrade the tables of `doublecross.server.store.schema`."""
