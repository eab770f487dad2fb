// Say how an offer ended that led to no match.

/**
 * Return a sentence; empty if none is needed, because the person did it.
 * @param {{mine: boolean, other: string}} offer
 * @param {string} outcome
 * @param {string} reason - for people, may be empty
 */
export function overLine({ mine, other }, outcome, reason) {
  const why = reason ? ` ${reason}` : "";
  const who = other || "Nobody";
  if (outcome === "declined") return mine ? `${who} declined your challenge.${why}` : "";
  if (outcome === "left") return other ? `${other} has left, so the challenge is over.` : "";
  if (outcome === "expired") {
    if (!mine) return `The challenge of ${who} has ended.${why}`;
    return other ? `Your challenge to ${other} has ended.${why}` : `Your offer has ended.${why}`;
  }
  return mine ? "" : `${who} took the challenge back.${why}`;
}
