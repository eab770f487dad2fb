"""Programs that play: the bot interface, the registry, the bots and their runner."""
