"""HTTP connections: their limits and deadlines, and the server that answers on them."""
