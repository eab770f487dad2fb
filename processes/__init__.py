"""Child processes: start them, exchange lines of JSON with them, and never leave one behind.

`child` is the parent's side, `parent` is the child's side, and `boot` is the first code that runs
in a child. The package needs the standard library only and imports none of our other packages.
"""
