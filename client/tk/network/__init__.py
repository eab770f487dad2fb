"""The network thread: connections, and the queue from it to the thread of Tk."""
