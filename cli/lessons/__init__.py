"""The commands about lessons."""
