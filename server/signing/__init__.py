"""Signs records with the server's key, and checks signatures (Ed25519)."""
