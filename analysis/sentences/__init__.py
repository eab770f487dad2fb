"""Sentences about moves: each comes from a rule with a name, and no rule means no sentence."""
