"""Commands for the key with which a server signs records."""
