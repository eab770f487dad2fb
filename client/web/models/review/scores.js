// Scores, costs and leads in words; the window of the desktop says the same (client/tk/models/analysis).

import { plural, tr } from "../../texts.js";

/** @import { ExpectedScore, ReviewedMove } from "./types" */

const MINUS = "\u2212";

/**
 * Return a lead with its sign, in whole points: `+3`, `0` or `−2`.
 * @param {number} lead
 */
export function leadText(lead) {
  const whole = Math.round(Math.abs(lead));
  if (whole === 0) return "0";
  return `${lead < 0 ? MINUS : "+"}${whole}`;
}

/**
 * Return a value from the view of `seat`.
 * @param {{net: number}} value
 * @param {number | null} seat
 */
export function netOf({ net }, seat) {
  return seat === 1 ? -net : net;
}

/** @param {Pick<ReviewedMove, "before" | "after">} move */
export function isExact(move) {
  return move.before.spread === 0 && move.after.spread === 0;
}

/**
 * Return what a move cost: `2 boxes`, `about 1 box`, `the win`.
 * @param {Pick<ReviewedMove, "before" | "after" | "cost" | "seat">} move
 * @param {string} unit what the scores count, such as `boxes`; empty: nothing
 */
export function costWords(move, unit) {
  const count = Math.max(1, Math.round(move.cost));
  let cost = `${count} ${count === 1 ? unit.replace(/(?<=[xs])es$|s$/, "") : unit}`;
  if (!unit) cost = netOf(move.before, move.seat) > 0 ? tr("the win") : tr("the draw");
  else if (unit === "boxes") cost = plural("1 box", "{n} boxes", count);
  return isExact(move) ? cost : tr("about {cost}", { cost });
}

/**
 * Return the result to expect, such as `With best play Ann wins by 3.`
 * @param {ExpectedScore} value
 * @param {readonly string[]} players
 * @param {string} unit
 */
export function outlook({ net, spread }, players, unit) {
  const exact = spread === 0;
  const lead = Math.round(Math.abs(net));
  if (exact && !lead) return tr("With best play the game ends in a draw.");
  // An estimate within two standard errors of a draw decides nothing.
  if (!lead || Math.abs(net) <= 2 * spread) return tr("The result is open.");
  const name = players[net > 0 ? 0 : 1];
  const values = { name, lead };
  if (exact) return unit ? tr("With best play {name} wins by {lead}.", values) : tr("With best play {name} wins.", values);
  return unit ? tr("{name} should win by about {lead}.", values) : tr("{name} should win.", values);
}
