"""The start screen and the card with its fields."""
