// Schedule the animation of captured cells, which fill one after the other.

/** @import { BoardPlaces } from "./places.js" */

/** How long one cell takes to fill, in milliseconds. */
export const FILL_MS = 200;
/** The time between the starts of two cells, in milliseconds. */
export const GAP_MS = 70;
/** The longest wait of a cell for its start, in milliseconds; long chains therefore run faster. */
export const LAG_MS = 400;

/**
 * Return cells in the order in which the new moves captured them.
 *
 * The cells beside a move come in the order of the moves. The others, which the moves do not touch,
 * follow by their distance from the cell before.
 * @param {BoardPlaces} places
 * @param {readonly number[]} won
 * @param {readonly number[]} moves the new moves, oldest first
 * @returns {number[]}
 */
export function inOrder(places, won, moves) {
  const left = new Set(won);
  /** @type {number[]} */
  const ordered = [];
  const take = (/** @type {number[]} */ group) => {
    while (group.length) {
      const from = places.cellMiddles[ordered.at(-1) ?? group[0]];
      const away = (/** @type {number} */ cell) =>
        Math.hypot(places.cellMiddles[cell][0] - from[0], places.cellMiddles[cell][1] - from[1]);
      group.sort((a, b) => away(a) - away(b) || a - b);
      const next = /** @type {number} */ (group.shift());
      left.delete(next);
      ordered.push(next);
    }
  };
  // A box is complete with the last of its edges, so the newest of the moves around it decides.
  const newest = new Map(moves.map((action, ply) => [action, ply]));
  const plyOf = (/** @type {number} */ cell) =>
    Math.max(-1, ...places.geometry.cells[cell].segments.map((action) => newest.get(action) ?? -1));
  const groups = new Map(moves.map((_, ply) => [ply, /** @type {number[]} */ ([])]));
  for (const cell of left) groups.get(plyOf(cell))?.push(cell);
  for (const group of groups.values()) take(group);
  take([...left]);
  return ordered;
}

/** Gives each captured cell the time of its start, after those that wait already. */
export class Fills {
  constructor() {
    this._latest = -Infinity;
  }

  /**
   * Return how long each of `count` more cells waits before it fills, in milliseconds.
   *
   * No cell waits longer than `LAG_MS`: if the last one would, all of them move closer together.
   * @param {number} count
   * @param {number} now in milliseconds
   * @returns {number[]}
   */
  add(count, now) {
    const first = Math.min(Math.max(now, this._latest + GAP_MS), now + LAG_MS);
    const gap = count > 1 ? Math.min(GAP_MS, (now + LAG_MS - first) / (count - 1)) : 0;
    const waits = Array.from({ length: count }, (_, number) => first - now + number * gap);
    if (count) this._latest = now + waits[count - 1];
    return waits;
  }

  /** Forget the cells that wait. */
  clear() {
    this._latest = -Infinity;
  }
}
