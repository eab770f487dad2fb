"""The commands with which people manage their accounts, tokens and bots."""
