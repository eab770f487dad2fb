"""Quick phrases between the two people of a match."""
