"""What the screens of the course decide, without Tk."""
