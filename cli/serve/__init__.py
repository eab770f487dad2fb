"""Commands that run a server and the bots that live on it."""
