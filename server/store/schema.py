"""The tables of the database, in SQLAlchemy's terms; `migrations` creates and changes them.

Times are milliseconds since 1970, UTC. Columns that end in `_key` contain a name after
`str.casefold`. Comparisons of names therefore do not depend on the database's collation.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

# SQLite stores a table in the order of its key only for the type INTEGER (64 bits in SQLite).
_ENTRY_ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

journal: Final = sa.Table(
    "journal",
    metadata,
    sa.Column("entry_id", _ENTRY_ID, primary_key=True, autoincrement=False),
    sa.Column("at_ms", sa.BigInteger(), nullable=False),
    sa.Column("frames", sa.LargeBinary(), nullable=False),
)

# Numbers that must survive the deletion of rows. LAST_ENTRY is the highest id of a journal entry
# at the time of the last deletion; it prevents that ids are used twice. EPOCH is how many times a
# server has opened the database; every write checks that no later server has opened it. CLUSTER
# grows with every change of a node or of the owner of a log, and LAST_LOG with every new log.
counters: Final = sa.Table(
    "counters",
    metadata,
    sa.Column("name", sa.String(), primary_key=True),
    sa.Column("value", sa.BigInteger(), nullable=False),
)
LAST_ENTRY: Final = "last_entry"
EPOCH: Final = "epoch"
CLUSTER: Final = "cluster"
LAST_LOG: Final = "last_log"
COUNTERS: Final = (LAST_ENTRY, EPOCH, CLUSTER, LAST_LOG)
"""The names of all counters; each has a row from the start."""

# How many rows a table should have: the sum of `counted` over all parts. See `row_counts.py`.
row_counts: Final = sa.Table(
    "row_counts",
    metadata,
    sa.Column("table_name", sa.String(), primary_key=True),
    sa.Column("part", sa.Integer(), primary_key=True, autoincrement=False),
    sa.Column("counted", sa.BigInteger(), nullable=False),
)

# Correspondence games that nobody looks at; see `server/core/rooms/sleeping.py`. All other open
# rooms have their events in the journal.
sleeping_rooms: Final = sa.Table(
    "sleeping_rooms",
    metadata,
    sa.Column("room", sa.String(), primary_key=True),
    sa.Column("player_0", sa.String(), nullable=False),
    sa.Column("player_1", sa.String(), nullable=False),
    sa.Column("to_move", sa.String(), nullable=False),
    sa.Column("due_ms", sa.BigInteger(), nullable=False),
    sa.Column("since_ms", sa.BigInteger(), nullable=False),
    sa.Column("tournament", sa.String(), nullable=False),
    sa.Column("packed", sa.LargeBinary(), nullable=False),
    sa.Index("ix_sleeping_rooms_due", "due_ms", "room"),
    sa.Index("ix_sleeping_rooms_player_0", "player_0"),
    sa.Index("ix_sleeping_rooms_player_1", "player_1"),
)

# Conditional moves, as JSON; see `server/core/rooms/plans.py`.
plans: Final = sa.Table(
    "plans",
    metadata,
    sa.Column("room", sa.String(), primary_key=True),
    sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
    sa.Column("account_id", sa.String(), nullable=False),
    sa.Column("match", sa.Integer(), nullable=False),
    sa.Column("ply", sa.Integer(), nullable=False),
    sa.Column("takebacks", sa.Integer(), nullable=False),
    sa.Column("lines", sa.Text(), nullable=False),
    sa.Index("ix_plans_account", "account_id"),
)

players: Final = sa.Table(
    "players",
    metadata,
    sa.Column("name_key", sa.String(), primary_key=True),
    sa.Column("name", sa.String(), nullable=False),
    sa.Column("kind", sa.String(), nullable=False),
    sa.Column("engine", sa.String(), nullable=False),
    sa.Column("engine_version", sa.String(), nullable=False),
    sa.Column("token_hash", sa.LargeBinary(), nullable=False, unique=True),
    sa.Column("created_ms", sa.BigInteger(), nullable=False),
    # Not unique: names of an earlier version may look alike.
    sa.Column("look", sa.String(), nullable=True),
    sa.Column("account_id", sa.String(), nullable=True),
    sa.Index("ix_players_look", "look"),
    sa.Index("ix_players_account", "account_id", unique=True),
)

# The rights of players who are more than guests.
accounts: Final = sa.Table(
    "accounts",
    metadata,
    sa.Column("account_id", sa.String(), primary_key=True),
    sa.Column("password_hash", sa.String(), nullable=True),
    sa.Column("run_by", sa.String(), nullable=True),
    sa.Column("is_admin", sa.Boolean(), nullable=False),
    sa.Index("ix_accounts_run_by", "run_by"),
)

# Sessions and API tokens. The token of a guest is in `players`. `scopes` has spaces between them.
tokens: Final = sa.Table(
    "tokens",
    metadata,
    sa.Column("token_id", sa.String(), primary_key=True),
    sa.Column("token_hash", sa.LargeBinary(), nullable=False, unique=True),
    sa.Column("account_id", sa.String(), nullable=False),
    sa.Column("kind", sa.String(), nullable=False),
    sa.Column("label", sa.String(), nullable=False),
    sa.Column("scopes", sa.String(), nullable=False),
    sa.Column("created_ms", sa.BigInteger(), nullable=False),
    sa.Column("used_ms", sa.BigInteger(), nullable=False),
    sa.Column("expires_ms", sa.BigInteger(), nullable=True),
    sa.Index("ix_tokens_account", "account_id", "created_ms"),
)

# E-mail addresses, links, codes and passkeys; see `Credential` in `server/core/people/accounts.py`.
credentials: Final = sa.Table(
    "credentials",
    metadata,
    sa.Column("credential_id", sa.String(), primary_key=True),
    sa.Column("account_id", sa.String(), nullable=False),
    sa.Column("kind", sa.String(), nullable=False),
    sa.Column("created_ms", sa.BigInteger(), nullable=False),
    sa.Column("label", sa.String(), nullable=False),
    sa.Column("secret", sa.LargeBinary(), nullable=False),
    sa.Column("counter", sa.BigInteger(), nullable=False),
    sa.Column("expires_ms", sa.BigInteger(), nullable=True),
    sa.Index("ix_credentials_account", "account_id"),
    sa.Index("ix_credentials_label", "label"),
)

# Browsers that are told of turns while no page is open. `token_id` is empty for that of a guest.
push_subscriptions: Final = sa.Table(
    "push_subscriptions",
    metadata,
    sa.Column("endpoint", sa.String(), primary_key=True),
    sa.Column("account_id", sa.String(), nullable=False),
    sa.Column("token_id", sa.String(), nullable=False),
    sa.Column("public_key", sa.LargeBinary(), nullable=False),
    sa.Column("secret", sa.LargeBinary(), nullable=False),
    sa.Column("made_ms", sa.BigInteger(), nullable=False),
    sa.Index("ix_push_subscriptions_account", "account_id"),
    sa.Index("ix_push_subscriptions_token", "token_id"),
)

# Classes of people who learn, each with an organiser. `code` lets people join while `is_open`.
classrooms: Final = sa.Table(
    "classrooms",
    metadata,
    sa.Column("classroom_id", sa.String(), primary_key=True),
    sa.Column("name", sa.String(), nullable=False),
    sa.Column("owner_id", sa.String(), nullable=False),
    sa.Column("code", sa.String(), nullable=False, unique=True),
    sa.Column("is_open", sa.Boolean(), nullable=False),
    sa.Column("created_ms", sa.BigInteger(), nullable=False),
    sa.Index("ix_classrooms_owner", "owner_id"),
)

# Only the organiser reads `label`, which says who the member is.
members: Final = sa.Table(
    "members",
    metadata,
    sa.Column("classroom_id", sa.String(), primary_key=True),
    sa.Column("account_id", sa.String(), primary_key=True),
    sa.Column("label", sa.String(), nullable=False),
    sa.Column("bot_id", sa.String(), nullable=False),
    sa.Column("is_aside", sa.Boolean(), nullable=False),
    sa.Column("joined_ms", sa.BigInteger(), nullable=False),
    sa.Index("ix_members_bot", "bot_id"),
)

# What players learn and choose, as JSON; see `doublecross.server.core.people.progress`.
progress: Final = sa.Table(
    "progress",
    metadata,
    sa.Column("account_id", sa.String(), primary_key=True),
    sa.Column("kind", sa.String(), primary_key=True),
    sa.Column("version", sa.Integer(), nullable=False),
    sa.Column("document", sa.Text(), nullable=False),
)

puzzle_ratings: Final = sa.Table(
    "puzzle_ratings",
    metadata,
    sa.Column("puzzle_id", sa.String(), primary_key=True),
    sa.Column("rating", sa.Float(), nullable=False),
    sa.Column("deviation", sa.Float(), nullable=False),
    sa.Column("volatility", sa.Float(), nullable=False),
    sa.Column("attempts", sa.Integer(), nullable=False),
)

# What players write about their games for themselves.
notes: Final = sa.Table(
    "notes",
    metadata,
    sa.Column("account_id", sa.String(), primary_key=True),
    sa.Column("game_id", sa.String(), primary_key=True),
    sa.Column("words", sa.String(), nullable=False),
    sa.Column("changed_ms", sa.BigInteger(), nullable=False),
)

# Whom players follow and block; at most one of the two.
ties: Final = sa.Table(
    "ties",
    metadata,
    sa.Column("account_id", sa.String(), primary_key=True),
    sa.Column("other_id", sa.String(), primary_key=True),
    sa.Column("tie", sa.String(), nullable=False),
    sa.Column("made_ms", sa.BigInteger(), nullable=False),
    sa.Index("ix_ties_other", "other_id"),
)

# What people said in rooms. `seat` is null for spectators.
talk: Final = sa.Table(
    "talk",
    metadata,
    sa.Column("number", _ENTRY_ID, primary_key=True, autoincrement=True),
    sa.Column("room", sa.String(), nullable=False),
    sa.Column("match", sa.Integer(), nullable=False),
    sa.Column("at_ms", sa.BigInteger(), nullable=False),
    sa.Column("account_id", sa.String(), nullable=False),
    sa.Column("seat", sa.Integer(), nullable=True),
    sa.Column("words", sa.String(), nullable=False),
    sa.Index("ix_talk_room", "room", "number"),
    sa.Index("ix_talk_account", "account_id"),
)

# What players have reported about others. `closed_ms` is null while a report is open.
reports: Final = sa.Table(
    "reports",
    metadata,
    sa.Column("report_id", sa.String(), primary_key=True),
    sa.Column("reporter_id", sa.String(), nullable=False),
    sa.Column("about_id", sa.String(), nullable=False),
    sa.Column("reason", sa.String(), nullable=False),
    sa.Column("words", sa.String(), nullable=False),
    sa.Column("made_ms", sa.BigInteger(), nullable=False),
    sa.Column("room", sa.String(), nullable=True),
    sa.Column("match", sa.Integer(), nullable=True),
    sa.Column("seated", sa.Boolean(), nullable=False),
    sa.Column("note", sa.String(), nullable=False),
    sa.Column("closed_ms", sa.BigInteger(), nullable=True),
    sa.Column("closed_by", sa.String(), nullable=False),
    sa.Index("ix_reports_reporter", "reporter_id", "made_ms"),
)

# Exactly one of `account_id` and `network` is set.
bans: Final = sa.Table(
    "bans",
    metadata,
    sa.Column("ban_id", sa.String(), primary_key=True),
    sa.Column("account_id", sa.String(), nullable=True),
    sa.Column("network", sa.String(), nullable=True),
    sa.Column("until_ms", sa.BigInteger(), nullable=True),
    sa.Column("reason", sa.String(), nullable=False),
    sa.Column("made_ms", sa.BigInteger(), nullable=False),
    sa.Column("made_by", sa.String(), nullable=False),
)

# The actions of admins. Rows are only added.
audit: Final = sa.Table(
    "audit",
    metadata,
    sa.Column("number", _ENTRY_ID, primary_key=True, autoincrement=True),
    sa.Column("at_ms", sa.BigInteger(), nullable=False),
    sa.Column("actor_id", sa.String(), nullable=False),
    sa.Column("actor", sa.String(), nullable=False),
    sa.Column("address", sa.String(), nullable=False),
    sa.Column("action", sa.String(), nullable=False),
    sa.Column("target", sa.String(), nullable=False),
    sa.Column("detail", sa.String(), nullable=False),
)

games: Final = sa.Table(
    "games",
    metadata,
    sa.Column("game_id", sa.String(), primary_key=True),
    sa.Column("room", sa.String(), nullable=False),
    sa.Column("match", sa.Integer(), nullable=False),
    sa.Column("game", sa.String(), nullable=False),
    sa.Column("size", sa.String(), nullable=False),
    sa.Column("player_0", sa.String(), nullable=False),
    sa.Column("player_1", sa.String(), nullable=False),
    sa.Column("player_0_key", sa.String(), nullable=False),
    sa.Column("player_1_key", sa.String(), nullable=False),
    sa.Column("engine_0", sa.String(), nullable=False),
    sa.Column("engine_1", sa.String(), nullable=False),
    sa.Column("rated", sa.Boolean(), nullable=False),
    sa.Column("private", sa.Boolean(), nullable=False),
    sa.Column("time_control", sa.String(), nullable=False),
    sa.Column("started_ms", sa.BigInteger(), nullable=False),
    sa.Column("finished_ms", sa.BigInteger(), nullable=False),
    sa.Column("termination", sa.String(), nullable=False),
    sa.Column("result", sa.String(), nullable=False),
    sa.Column("winner", sa.Integer(), nullable=True),
    sa.Column("score_0", sa.Integer(), nullable=False),
    sa.Column("score_1", sa.Integer(), nullable=False),
    sa.Column("plies", sa.Integer(), nullable=False),
    # The longest column comes late, because SQLite reads the columns of a row from the front.
    sa.Column("record", sa.Text(), nullable=False),
    # The next four columns are set for games of tournaments only.
    sa.Column("tournament_id", sa.String(), nullable=True),
    sa.Column("pairing", sa.Integer(), nullable=True),
    sa.Column("pair_game", sa.Integer(), nullable=True),
    sa.Column("attempt", sa.Integer(), nullable=True),
    # The number of moves, total time and longest time of each seat.
    sa.Column("moves_0", sa.Integer(), nullable=False, server_default="0"),
    sa.Column("moves_1", sa.Integer(), nullable=False, server_default="0"),
    sa.Column("thought_0_ms", sa.BigInteger(), nullable=False, server_default="0"),
    sa.Column("thought_1_ms", sa.BigInteger(), nullable=False, server_default="0"),
    sa.Column("longest_0_ms", sa.BigInteger(), nullable=False, server_default="0"),
    sa.Column("longest_1_ms", sa.BigInteger(), nullable=False, server_default="0"),
    # The join code of a private room.
    sa.Column("code", sa.String(), nullable=True),
    sa.Column("player_0_id", sa.String(), nullable=True),
    sa.Column("player_1_id", sa.String(), nullable=True),
    # What a bot that failed had written; only who runs it may see this.
    sa.Column("output", sa.Text(), nullable=True),
    # The first four serve lists of public games, newest first.
    sa.Index("ix_games_newest", "private", "finished_ms", "game_id"),
    sa.Index("ix_games_by_game", "private", "game", "finished_ms", "game_id"),
    sa.Index("ix_games_by_player_0", "private", "player_0_key", "finished_ms", "game_id"),
    sa.Index("ix_games_by_player_1", "private", "player_1_key", "finished_ms", "game_id"),
    sa.Index("ix_games_by_tournament", "tournament_id", "finished_ms", "game_id"),
    sa.Index("ix_games_rated", "rated", "finished_ms", "game_id"),
)

# Reports of games. Everything here can be made again, so rows may be deleted at any time. There is
# no foreign key: a report is written when its game is stored already, and games stay.
reviews: Final = sa.Table(
    "reviews",
    metadata,
    sa.Column("game_id", sa.String(), primary_key=True),
    sa.Column("version", sa.String(), nullable=False),
    sa.Column("moves", sa.Integer(), nullable=False),
    sa.Column("made_ms", sa.BigInteger(), nullable=False),
    sa.Column("text", sa.LargeBinary(), nullable=False),
    sa.Column("packed", sa.LargeBinary(), nullable=False),
    sa.Index("ix_reviews_made", "made_ms"),
)

tournaments: Final = sa.Table(
    "tournaments",
    metadata,
    sa.Column("tournament_id", sa.String(), primary_key=True),
    sa.Column("name", sa.String(), nullable=False),
    sa.Column("format", sa.String(), nullable=False),
    sa.Column("status", sa.String(), nullable=False),
    sa.Column("owner", sa.String(), nullable=False),
    sa.Column("terms", sa.Text(), nullable=False),
    sa.Column("created_ms", sa.BigInteger(), nullable=False),
    sa.Column("started_ms", sa.BigInteger(), nullable=True),
    sa.Column("finished_ms", sa.BigInteger(), nullable=True),
    sa.Column("owner_id", sa.String(), nullable=True),
)

entrants: Final = sa.Table(
    "entrants",
    metadata,
    sa.Column("tournament_id", sa.String(), primary_key=True),
    sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(), nullable=False),
    sa.Column("engine", sa.String(), nullable=False),
    sa.Column("at_once", sa.Integer(), nullable=False),
    sa.Column("state", sa.String(), nullable=False),
    sa.Column("reason", sa.String(), nullable=False),
    sa.Column("joined_ms", sa.BigInteger(), nullable=False),
    sa.Column("seed_rating", sa.Float(), nullable=True),
)

# `opening` has the actions of the opening, separated by commas. Since version 0.2 the opening's
# number in the tournament and "=" come before them, and later pairings with the same opening have
# only "#" and that number. `second` is null for a bye.
pairings: Final = sa.Table(
    "pairings",
    metadata,
    sa.Column("tournament_id", sa.String(), primary_key=True),
    sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
    sa.Column("round", sa.Integer(), nullable=False),
    sa.Column("first", sa.Integer(), nullable=False),
    sa.Column("second", sa.Integer(), nullable=True),
    sa.Column("opening", sa.String(), nullable=False),
    sa.Column("state", sa.String(), nullable=False),
)

# -- clusters (`server/store/cluster`); a single server leaves these tables empty ----------------

# The nodes that run. A row exists from the start of a run until the node leaves, or until another
# node ends the run. `until_ms` is when its lease ends by the database's clock. It has had the lease
# without a gap since `since_ms`.
nodes: Final = sa.Table(
    "nodes",
    metadata,
    sa.Column("node", sa.String(), primary_key=True),
    sa.Column("run", sa.String(), nullable=False, unique=True),
    sa.Column("until_ms", sa.BigInteger(), nullable=False),
    sa.Column("since_ms", sa.BigInteger(), nullable=False),
    sa.Column("started_ms", sa.BigInteger(), nullable=False),
    sa.Column("version", sa.String(), nullable=False),
    sa.Column("address", sa.String(), nullable=False),
)

# `owner` is a run, and null for a log that its owner has given up. The owner has ended when `nodes`
# has no row of that run. `token` is the fencing token. `last_entry` is the highest id of an entry
# at the time of the last deletion, and `entries` how many there should be.
logs: Final = sa.Table(
    "logs",
    metadata,
    sa.Column("log", sa.String(), primary_key=True),
    sa.Column("token", sa.BigInteger(), nullable=False),
    sa.Column("owner", sa.String(), nullable=True),
    sa.Column("last_entry", sa.BigInteger(), nullable=False),
    sa.Column("entries", sa.BigInteger(), nullable=False, server_default="0"),
)

log_entries: Final = sa.Table(
    "log_entries",
    metadata,
    sa.Column("log", sa.String(), primary_key=True),
    sa.Column("entry_id", sa.BigInteger(), primary_key=True, autoincrement=False),
    sa.Column("at_ms", sa.BigInteger(), nullable=False),
    sa.Column("frames", sa.LargeBinary(), nullable=False),
)
