"""Keep a server running well: its time, its periodic work, the report of its troubles."""
