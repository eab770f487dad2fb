"""The `doublecross` command."""
