"""The storage of a cluster on PostgreSQL."""
