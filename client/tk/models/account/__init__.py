"""What the account screen shows and asks, without Tk and without I/O."""
