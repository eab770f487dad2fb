"""`doublecross load`: measures how much a server can carry."""
