// What the pages say about a person who solves puzzles, without DOM.

import { tr } from "../../texts.js";
import { ratingText } from "../rating.js";

/** @import { Solver } from "../../types/api.js" */

/** A deviation above this makes a rating provisional, as on the server. */
const PROVISIONAL = 110;

/**
 * Return the solver that a storage has; a new one without a readable one.
 * @param {{get: (key: string) => unknown}} storage
 * @returns {Partial<Solver>}
 */
export function readSolver(storage) {
  const found = storage.get("solver");
  return typeof found === "object" && found !== null ? found : {};
}

/** @param {Partial<Solver>} solver */
export function solverRating({ rating = 1500, deviation = 350 }) {
  return ratingText({ rating, provisional: deviation > PROVISIONAL });
}

/**
 * Return what an attempt has changed: `Rating 1512 (+12). 3 in a row.`
 * @param {{change: number | null, solved: boolean, solver: Solver}} result
 */
export function resultLine({ change, solved, solver }) {
  const sign = (change ?? 0) < 0 ? "−" : "+";
  const values = { rating: solverRating(solver), change: `${sign}${Math.abs(Math.round(change ?? 0))}` };
  const rated = change === null ? tr("Not rated: you have tried this puzzle before.") : tr("Rating {rating} ({change}).", values);
  const row = solved && solver.streak > 1 ? tr("{n} in a row.", { n: solver.streak }) : "";
  return `${rated} ${row}`.trim();
}

/**
 * Return the lines of what a solver has reached.
 * @param {Partial<Solver>} solver
 */
export function solverLines({ tries = {}, streak = 0, best_streak: best = 0 }) {
  const all = Object.values(tries);
  if (!all.length) return [];
  const solved = all.filter(([first]) => first).length;
  return [
    tr("{solved} of {count} solved at the first attempt", { solved, count: all.length }),
    tr("{streak} in a row, best {best}", { streak, best }),
  ];
}

/**
 * Return the best storms of today, of the last seven days and of all time.
 * @param {Partial<Solver>} solver
 * @param {number} nowMs since 1970
 */
export function stormBests({ storm_best: all = 0, storm_days: days = {} }, nowMs) {
  const name = (/** @type {number} */ ago) => new Date(nowMs - ago * 86_400_000).toISOString().slice(0, 10);
  const week = Object.entries(days).filter(([day]) => day >= name(6));
  return { today: days[name(0)] ?? 0, week: Math.max(0, ...week.map(([, score]) => score)), all };
}
