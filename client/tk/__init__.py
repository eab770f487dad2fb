"""The desktop program: windows over `client.session`; the network has a thread of its own."""
