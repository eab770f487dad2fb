"""Parse and print for several families of commands, and read what they need of servers."""
