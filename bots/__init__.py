"""Players that are programs: the bot interface, the registry, the bots and their runner."""
