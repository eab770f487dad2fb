// What the pages say about a person who solves puzzles, without DOM.

import { tr } from "../../texts.js";

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

/**
 * Return what follows a rating that is still uncertain; empty for a certain one.
 * @param {Partial<Solver>} solver
 */
function caution({ deviation = 350 }) {
  return deviation > PROVISIONAL ? tr("Your first puzzles change it a lot.") : "";
}

/**
 * Return `Your rating: 1512`, or what it is about.
 * @param {Partial<Solver>} solver
 */
export function ratingLine(solver) {
  const rating = Math.round(solver.rating ?? 1500);
  const uncertain = caution(solver);
  return uncertain ? `${tr("Your rating: about {rating}.", { rating })} ${uncertain}` : tr("Your rating: {rating}", { rating });
}

/**
 * Return whether an attempt at a puzzle counts for the rating: the first one does.
 * @param {Partial<Solver>} solver
 * @param {string} puzzle
 */
export function isRated({ tries = {} }, puzzle) {
  return !(puzzle in tries);
}

/**
 * Return what an attempt has changed: `Your rating goes from 1500 to 1512. 3 in a row.`
 * @param {{change: number | null, solved: boolean, solver: Solver}} result
 */
export function resultLine({ change, solved, solver }) {
  const row = solved && solver.streak > 1 ? tr("{n} in a row.", { n: solver.streak }) : "";
  if (change === null) return `${tr("Not rated: you have tried this puzzle before.")} ${row}`.trim();
  const { rating = 1500 } = solver;
  const values = { before: Math.round(rating - change), rating: Math.round(rating) };
  const goes = solved
    ? tr("Your rating goes from {before} to {rating}.", values)
    : tr("It counts as failed: your rating goes from {before} to {rating}.", values);
  return [goes, caution(solver), row].filter(Boolean).join(" ");
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
