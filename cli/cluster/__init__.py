"""The commands about clusters: several processes that form one server."""
