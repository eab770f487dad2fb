"""Commands that analyse positions and searches."""
