// Why a player pauses in an arena; every page needs it, and the other words of tournaments only theirs.

/** The server's reason why a player of an arena pauses. */
export const NO_FIRST_MOVE = "made no first move";
