"""The SQL of leases and logs, in PostgreSQL's dialect.

Each statement is a transaction by itself, unless it says otherwise. So a node that stands still
between two of them holds no lock. Statements lock rows in one order: nodes, logs, the rest, and at
last the counter of changes. A condition on a row that another transaction is changing is evaluated
again after that transaction, with the new row (PostgreSQL's READ COMMITTED). So each is safe:

- `RENEW` and `END_OWNER` both write the row of a node. Either the lease is renewed, and then it has
  not lapsed, or the row is gone.
- `CLAIM` changes the token that it names, so that one of two claimants wins.
- A commit locks the row of its log. A claim waits for that lock. A commit that comes later finds
  another token.
"""

from __future__ import annotations

from typing import Final

from doublecross.server.core.cluster_storage import LEASE_MS
from doublecross.server.store.postgresql import IS_LIVE, NOW_MS
from doublecross.server.store.sleeping import LOG

FORGET_MS: Final = 60_000
"""How long a lease must have lapsed before a node without a log is forgotten."""
_COUNT_CHANGE: Final = "UPDATE counters SET value = value + 1 WHERE name = 'cluster'"

NOW: Final = f"SELECT {NOW_MS}"

# -- nodes -------------------------------------------------------------------------------------

# Parameters: name, run, version, address.
JOIN: Final = f"""
WITH joined AS (
    INSERT INTO nodes AS n (node, run, until_ms, since_ms, started_ms, version, address)
    VALUES ($1, $2, {NOW_MS} + {LEASE_MS}, {NOW_MS}, {NOW_MS}, $3, $4)
    ON CONFLICT (node) DO UPDATE SET
        run = excluded.run, until_ms = excluded.until_ms, since_ms = excluded.since_ms,
        started_ms = excluded.started_ms, version = excluded.version, address = excluded.address
    WHERE n.run = excluded.run OR NOT {IS_LIVE.replace("until_ms", "n.until_ms")}
    RETURNING n.run
), counted AS ({_COUNT_CHANGE} AND EXISTS (SELECT FROM joined))
SELECT (SELECT run FROM joined), {NOW_MS}
"""
HOLDER: Final = "SELECT run, until_ms FROM nodes WHERE node = $1"
# Nodes that died without a log, which nobody had to take from them.
FORGET_DEAD: Final = f"""
DELETE FROM nodes
WHERE until_ms < {NOW_MS} - {FORGET_MS} AND NOT EXISTS (SELECT FROM logs WHERE owner = run)
"""
# Parameter: run.
RENEW: Final = f"""
WITH renewed AS (
    UPDATE nodes SET
        until_ms = {NOW_MS} + {LEASE_MS},
        since_ms = CASE WHEN {IS_LIVE} THEN since_ms ELSE {NOW_MS} END
    WHERE run = $1
    RETURNING run
)
SELECT
    (SELECT run FROM renewed),
    {NOW_MS},
    (SELECT value FROM counters WHERE name = 'cluster'),
    ARRAY(SELECT run FROM nodes WHERE run <> $1 AND NOT {IS_LIVE})
"""
# Parameter: run. The tokens grow, so that a commit which is still on its way stores nothing.
LEAVE: Final = f"""
WITH gone AS (
    DELETE FROM nodes WHERE run = $1 RETURNING run
), given_up AS (
    UPDATE logs SET owner = NULL, token = token + 1
    WHERE owner = $1 AND EXISTS (SELECT FROM gone)
), counted AS ({_COUNT_CHANGE} AND EXISTS (SELECT FROM gone))
SELECT
"""
# Parameters: log, the run that wants to take it. Its own lease must have no gap for so long that
# everybody could renew after PostgreSQL stood still.
END_OWNER: Final = f"""
WITH ended AS (
    DELETE FROM nodes
    WHERE run = (SELECT owner FROM logs WHERE log = $1) AND run <> $2 AND NOT {IS_LIVE}
    AND EXISTS (
        SELECT FROM nodes
        WHERE run = $2 AND {IS_LIVE} AND since_ms <= {NOW_MS} - {LEASE_MS}
    )
    RETURNING run
)
{_COUNT_CHANGE} AND EXISTS (SELECT FROM ended)
"""

# Columns come as arrays, which the driver reads much faster than rows or JSON. An array of no rows
# is null.
SNAPSHOT: Final = f"""
SELECT
    {NOW_MS},
    (SELECT value FROM counters WHERE name = 'cluster'),
    n.*,
    l.*
FROM (
    SELECT
        array_agg(node ORDER BY node), array_agg(run ORDER BY node),
        array_agg({IS_LIVE} ORDER BY node), array_agg(started_ms ORDER BY node),
        array_agg(version ORDER BY node), array_agg(address ORDER BY node)
    FROM nodes
) n, (
    SELECT
        array_agg(log ORDER BY log), array_agg(token ORDER BY log), array_agg(owner ORDER BY log)
    FROM logs
) l
"""

# -- logs --------------------------------------------------------------------------------------

ADD_LEADER: Final = """
INSERT INTO logs (log, token, owner, last_entry) VALUES ('leader', 0, NULL, 0)
ON CONFLICT (log) DO NOTHING
"""
NEXT_LOG: Final = """
UPDATE counters SET value = value + 1 WHERE name = 'last_log' RETURNING value
"""
# Parameters: log, token, run. The row is not added when another log has the id, or without a lease.
CREATE_LOG: Final = f"""
WITH created AS (
    INSERT INTO logs (log, token, owner, last_entry)
    SELECT $1, $2, run, 0 FROM nodes WHERE run = $3 AND {IS_LIVE}
    ON CONFLICT (log) DO NOTHING
    RETURNING token
), counted AS ({_COUNT_CHANGE} AND EXISTS (SELECT FROM created))
SELECT token FROM created
"""
# Parameters: log, the token of its former owner, run.
CLAIM: Final = f"""
WITH claimed AS (
    UPDATE logs SET token = token + 1, owner = $3
    WHERE log = $1 AND token = $2
    AND (owner IS NULL OR NOT EXISTS (SELECT FROM nodes WHERE run = owner))
    AND EXISTS (SELECT FROM nodes WHERE run = $3 AND {IS_LIVE})
    RETURNING token
), counted AS ({_COUNT_CHANGE} AND EXISTS (SELECT FROM claimed))
SELECT token FROM claimed
"""
# Parameters: log, token.
HAND_OVER: Final = f"""
WITH given_up AS (
    UPDATE logs SET owner = NULL, token = token + 1 WHERE log = $1 AND token = $2 RETURNING log
), counted AS ({_COUNT_CHANGE} AND EXISTS (SELECT FROM given_up))
SELECT log FROM given_up
"""
# In a transaction. Parameters: log, token.
LOCK_LOG: Final = "SELECT log FROM logs WHERE log = $1 AND token = $2 FOR UPDATE"
# In a transaction, after `LOCK_LOG`, so that an entry which a commit has just added is seen.
# Parameter: log.
DELETE_LOG: Final = f"""
WITH deleted AS (
    DELETE FROM logs
    WHERE log = $1 AND NOT EXISTS (SELECT FROM log_entries e WHERE e.log = $1)
    AND NOT EXISTS (SELECT FROM sleeping_rooms WHERE {LOG} = $1)
    RETURNING log
), counted AS ({_COUNT_CHANGE} AND EXISTS (SELECT FROM deleted))
SELECT log FROM deleted
"""
# Parameters: log, the owner's run. The log keeps its owner, so others need not hear of it.
RAISE: Final = """
UPDATE logs SET token = token + 1 WHERE log = $1 AND owner = $2 RETURNING token
"""

# -- entries -----------------------------------------------------------------------------------

# Most commits are this statement alone. Parameters: log, entry id, time, frames, token.
ADD_ENTRY: Final = """
WITH counted AS (
    UPDATE logs SET entries = entries + 1 WHERE log = $1 AND token = $5 RETURNING log
)
INSERT INTO log_entries (log, entry_id, at_ms, frames) SELECT log, $2, $3, $4 FROM counted
RETURNING 1
"""
# In a transaction. Parameters: arrays of logs and of their tokens, with the same length.
LOCK_LOGS: Final = """
SELECT l.log, l.token FROM unnest($1::varchar[], $2::bigint[]) AS held (log, token)
JOIN logs l ON l.log = held.log AND l.token = held.token
FOR NO KEY UPDATE OF l
"""
# In a transaction, after `LOCK_LOGS`. Parameters: log, entry id, time, frames.
ADD_ENTRY_LOCKED: Final = """
WITH counted AS (UPDATE logs SET entries = entries + 1 WHERE log = $1)
INSERT INTO log_entries (log, entry_id, at_ms, frames) VALUES ($1, $2, $3, $4)
"""
# In a transaction, after `LOCK_LOG`. Parameter: log.
KEEP_LAST_ENTRY: Final = """
UPDATE logs SET last_entry = greatest(
    last_entry, (SELECT max(entry_id) FROM log_entries e WHERE e.log = $1)
) WHERE log = $1
"""
# In a transaction, after `KEEP_LAST_ENTRY`. Parameters: log, array of entry ids.
DELETE_ENTRIES: Final = """
WITH deleted AS (
    DELETE FROM log_entries WHERE log = $1 AND entry_id = ANY($2::bigint[]) RETURNING entry_id
)
UPDATE logs SET entries = entries - (SELECT count(*) FROM deleted) WHERE log = $1
"""
HAS_ENTRY: Final = "SELECT FROM log_entries WHERE log = $1 AND entry_id = $2"
