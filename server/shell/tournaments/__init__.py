"""How tournaments meet the shell: their requests, and the rooms that it opens for them."""
