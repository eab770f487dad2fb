"""Games written down ply by ply, and the command that writes them again."""
