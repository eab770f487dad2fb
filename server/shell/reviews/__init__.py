"""Reviews of finished games: who may ask, which workers make them, and where they are kept."""
