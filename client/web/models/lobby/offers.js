// Say how an offer ended that led to no match.

import { tr } from "../../texts.js";

/**
 * Return a sentence; empty if none is needed, because the person did it.
 * @param {{mine: boolean, other: string}} offer
 * @param {string} outcome
 * @param {string} reason - for people, may be empty
 */
export function overLine({ mine, other }, outcome, reason) {
  const why = reason ? ` ${reason}` : "";
  const name = other || tr("Nobody");
  if (outcome === "declined") return mine ? tr("{name} declined your challenge.", { name }) + why : "";
  if (outcome === "left") return other ? tr("{name} has left, so the challenge is over.", { name }) : "";
  if (outcome === "expired") {
    if (!mine) return tr("The challenge of {name} has ended.", { name }) + why;
    return other ? tr("Your challenge to {name} has ended.", { name }) + why : tr("Your offer has ended.") + why;
  }
  return mine ? "" : tr("{name} took the challenge back.", { name }) + why;
}
