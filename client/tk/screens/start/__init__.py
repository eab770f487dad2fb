"""The start screen and its card of fields."""
