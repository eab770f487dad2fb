"""Players in the database: accounts, classes, whom they know, and what they learn."""
