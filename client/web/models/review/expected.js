// The expected final score over a game, as columns for its curve.

/** @import { ExpectedScore } from "./types" */

/**
 * Return columns with an entry for each position: proved values, estimates, and the estimates with
 * their standard error taken off and added. An entry is null where the column has no value.
 *
 * @param {readonly ExpectedScore[]} values
 */
export function expectedOf(values) {
  const isProved = (/** @type {number} */ at) => values[at]?.spread === 0;
  const proved = values.map(({ net }, at) => (isProved(at) ? net : null));
  // The line of the estimates goes on to the first proved value, so that it has no gap there.
  const guessed = values.map(({ net }, at) => {
    const joins = (at > 0 && !isProved(at - 1)) || (at + 1 < values.length && !isProved(at + 1));
    return isProved(at) && !joins ? null : net;
  });
  const edge = (/** @type {number} */ side) =>
    values.map(({ net, spread }, at) => (guessed[at] === null ? null : net + side * spread));
  return { proved, guessed, low: edge(-1), high: edge(1) };
}
