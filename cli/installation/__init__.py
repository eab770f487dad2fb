"""Commands about this installation itself."""
