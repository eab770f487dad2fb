"""Where events, players and finished games are kept: a database through SQLAlchemy Core."""
