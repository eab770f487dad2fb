"""Tic-tac-toe and its larger relatives: k in a row on m by n cells."""
