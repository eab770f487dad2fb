"""The lobby: what players see of it, their offers, and what follows from the events of rooms."""
