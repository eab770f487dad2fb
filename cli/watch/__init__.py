"""Commands that watch a server and read records."""
