// Names of players: a friendly one for a guest, and what is wrong with one that a person typed.

import { tr } from "../../texts.js";

const LONGEST = 32;
const ALLOWED = /^[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_ .'+-]*[\p{L}\p{M}\p{N}_+])?$/u;

/**
 * Return a name for a guest, such as `Guest 4821`.
 * @param {() => number} random - from 0 to 1
 */
export function guestName(random) {
  return `Guest ${Math.floor(1000 + random() * 9000)}`;
}

/**
 * Return a sentence that says what is wrong with a player's name, or an empty text.
 * @param {string} name
 */
export function nameProblem(name) {
  if (name === "") return tr("Write the name that others will see.");
  const length = [...name].length;
  if (length > LONGEST) return tr("A name has {most} characters at most; this one has {count}.", { most: LONGEST, count: length });
  if (name.normalize("NFKC") !== name) {
    return tr("Some of these letters only look like others; type the plain ones.");
  }
  if (ALLOWED.test(name) && !name.includes("  ")) return "";
  return tr("A name has letters and digits, with single spaces, dots, hyphens or apostrophes between them.");
}
