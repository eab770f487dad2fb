"""End-to-end tests: whole programs in their own processes, as users run them."""
