"""Game pairs between bots in worker processes of this machine, without a server.

`job` says what is played and what came of it, `referee` plays one game, `child` is the worker
process, `arena` its parent, `tally` adds the games of two bots up, `report` says what they mean.
"""
