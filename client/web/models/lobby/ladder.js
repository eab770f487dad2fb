// The levels as a ladder: somebody's results against each, and the level to try next.
//
// The rules are those of `analysis/ladder.py`; a test compares them. Results are a text: wins, draws,
// losses and the last games, the newest last, such as `3 0 1 WLWW`. A level is beaten after two wins in
// a row, or three wins in the last four games. The next level is the one above the strongest beaten one.

import { tr } from "../../texts.js";
import { LEVELS } from "./levels.js";

const RECENT = 4;
const FORM = /^(\d{1,6}) (\d{1,6}) (\d{1,6}) ([WDL]{0,4})$/;

/** @typedef {{wins: number, draws: number, losses: number, recent: string}} Results */

const count = (/** @type {string} */ recent, /** @type {string} */ letter) => recent.split(letter).length - 1;

/**
 * Read results; those that are missing, or that somebody has changed by hand, begin again.
 * @param {unknown} text
 * @returns {Results}
 */
export function readResults(text) {
  const found = FORM.exec(String(text));
  const [wins, draws, losses] = (found ?? []).slice(1, 4).map(Number);
  const recent = found?.[4] ?? "";
  const results = { wins: wins ?? 0, draws: draws ?? 0, losses: losses ?? 0, recent };
  const fits =
    count(recent, "W") <= results.wins &&
    count(recent, "D") <= results.draws &&
    count(recent, "L") <= results.losses;
  return fits ? results : readResults("0 0 0 ");
}

/**
 * Return the results as text after another game: 1 is a win of the person, 0 a draw, -1 a loss.
 * @param {unknown} text
 * @param {number} result
 */
export function withResult(text, result) {
  const { wins, draws, losses, recent } = readResults(text);
  const last = (recent + (result > 0 ? "W" : result < 0 ? "L" : "D")).slice(-RECENT);
  return `${wins + Number(result > 0)} ${draws + Number(result === 0)} ${losses + Number(result < 0)} ${last}`;
}

/** @param {Results} results */
function isBeaten({ recent }) {
  return recent.endsWith("WW") || count(recent, "W") >= RECENT - 1;
}

/**
 * @param {Results} results
 * @param {string} level
 */
function score({ wins, draws, losses }, level) {
  const values = { wins, draws, losses, level: tr(level) };
  if (draws === 0) return tr("Your score against {level}: {wins} won, {losses} lost.", values);
  return tr("Your score against {level}: {wins} won, {draws} drawn, {losses} lost.", values);
}

/**
 * Return a sentence for somebody who looks at `level`; empty if there is nothing to say.
 * @param {string} level
 * @param {(level: string) => unknown} kept - returns the text of the results against a level
 */
export function ladderAdvice(level, kept) {
  const results = LEVELS.map((each) => readResults(kept(each)));
  const at = LEVELS.findIndex((each) => each === level);
  const mine = results[at];
  if (mine === undefined) return "";
  const said = mine.recent ? score(mine, level) : "";
  const next = results.findLastIndex(isBeaten) + 1;
  const suggested = next > 0 ? LEVELS[next] : undefined;
  if (suggested === undefined) return said;
  if (next === at) return `${said} ${tr("This is your next level.")}`.trim();
  return isBeaten(mine) && next > at ? `${said} ${tr("Try {level} next.", { level: tr(suggested) })}` : said;
}
