"""What the host does with a running server: see what happens, and act."""
