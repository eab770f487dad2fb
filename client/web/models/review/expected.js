// The expected final score over a game, as columns for its curve.

/** @import { ExpectedScore } from "./types" */

/**
 * Return columns with an entry for each position: proved values, estimates, and the estimates with
 * their standard error taken off and added. An entry is null where the column has no value.
 *
 * @param {readonly (ExpectedScore | null)[]} values null: not known
 */
export function expectedOf(values) {
  const isProved = (/** @type {number} */ at) => values[at]?.spread === 0;
  const isGuessed = (/** @type {number} */ at) => values[at] != null && !isProved(at);
  const proved = values.map((value, at) => (value && isProved(at) ? value.net : null));
  // The line of the estimates goes on to the first proved value, so that it has no gap there.
  const guessed = values.map((value, at) => (value && (isGuessed(at) || isGuessed(at - 1) || isGuessed(at + 1)) ? value.net : null));
  const edge = (/** @type {number} */ side) =>
    values.map((value, at) => (value === null || guessed[at] === null ? null : value.net + side * value.spread));
  return { proved, guessed, low: edge(-1), high: edge(1) };
}
