"""The desktop program: windows over `client.core.session`; the network has a thread of its own."""
