"""Child processes: start them, exchange lines of JSON with them, and never leave one behind.

`child` is what a parent uses, `parent` is what a child uses, and `boot` is the first code that
runs in a child. With `forks` the children are forks of one process, where that is possible. The
package needs the standard library only and imports none of our other packages.
"""
