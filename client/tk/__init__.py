"""The desktop program: windows over the client core; the network has a thread of its own."""
