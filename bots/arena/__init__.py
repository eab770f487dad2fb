"""Play game pairs between bots in worker processes of this machine, without a server.

`job` has the games to play and their results. `referee` plays one game, `child` runs in a worker
process, `worker` controls one worker process, and `arena` all of them. `tally` adds up the games
of two bots, and `report` computes the statistics.
"""
