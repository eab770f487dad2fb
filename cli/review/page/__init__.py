"""The page of a review: one HTML file that needs no other file and runs no script."""
