"""Sign records with the server's key, and check signatures (Ed25519)."""
