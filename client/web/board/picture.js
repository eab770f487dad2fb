// Turn a position into the classes and letters of its edges and cells, and list what changed.
//
// This file knows no rules. The preview of a move of cells follows from the picture alone: a disc falls
// to the lowest empty hole, and whoever takes an object takes those on its right in the same row.

/** @import { Position, Seat } from "./types" */
/** @import { BoardPlaces } from "./places.js" */

/**
 * What a board shows. `edges` has the classes of each segment by its action, `cells` those of each
 * cell, `owners` whose they are, and `letters` the text in each.
 * @typedef {{edges: Map<number, string>, cells: string[], owners: (Seat | null)[], letters: string[], last: number | null}} Picture
 */

/**
 * Return the owner of a cell, or null.
 * @param {Position} position
 * @param {number} cell
 * @returns {Seat | null}
 */
export function ownerOf(position, cell) {
  const sign = position.cells[cell];
  return sign === "0" ? 0 : sign === "1" ? 1 : null;
}

/**
 * Return who played each action of the position: a seat, or null if that is unknown.
 * @param {Position} position
 * @returns {Map<number, Seat | null>}
 */
export function drawersOf({ played, drawers }) {
  return new Map(played.map((action, ply) => [action, drawers?.[ply] ?? null]));
}

/**
 * Return the cells that a move on `action` would claim, such as the hole where a disc would land.
 * @param {BoardPlaces} places
 * @param {Position} position
 * @param {number} action
 * @returns {number[]}
 */
export function claims(places, position, action) {
  const empty = cellsOf(places, action).filter((cell) => ownerOf(position, cell) === null);
  const height = (/** @type {number} */ cell) => places.cellMiddles[cell][1];
  if (places.geometry.pieces === "disc")
    return empty.sort((a, b) => height(b) - height(a)).slice(0, 1);
  if (places.geometry.pieces === "object" && empty.length)
    return rightOf(places, empty[0]).filter((cell) => ownerOf(position, cell) === null);
  return empty;
}

/**
 * Return the cells that the last move claimed; none in games of edges, or while it is unknown.
 * @param {BoardPlaces} places
 * @param {Position} position
 * @returns {number[]}
 */
export function lastCells(places, { last, cells, before }) {
  if (last === null || places.ends.has(last) || before == null) return [];
  return [...cells].flatMap((owner, cell) => (owner !== before[cell] ? [cell] : []));
}

/**
 * Return the cells in the regions of an action.
 * @param {BoardPlaces} places
 * @param {number} action
 */
function cellsOf(places, action) {
  let known = memo.get(places);
  if (known === undefined) {
    known = new Map();
    for (const [cell, [x, y]] of places.cellMiddles.entries()) {
      const at = places.regionAt(x, y);
      if (at !== null) known.set(at, [...(known.get(at) ?? []), cell]);
    }
    memo.set(places, known);
  }
  return known.get(action) ?? [];
}

/** @type {WeakMap<BoardPlaces, Map<number, number[]>>} */
const memo = new WeakMap();

/**
 * Return a cell and those on its right in the same row, from left to right.
 * @param {BoardPlaces} places
 * @param {number} cell
 */
function rightOf(places, cell) {
  const [x, y] = places.cellMiddles[cell];
  return [...places.cellMiddles.keys()]
    .filter((other) => places.cellMiddles[other][1] === y && places.cellMiddles[other][0] >= x)
    .sort((a, b) => places.cellMiddles[a][0] - places.cellMiddles[b][0]);
}

/**
 * Return the picture of a position. `pending` is a move that the server has not confirmed yet, and
 * `mover` the seat that played it.
 * @param {BoardPlaces} places
 * @param {Position} position
 * @param {readonly [string, string]} signs the text in the cells of each seat
 * @param {number | null} pending
 * @param {Seat | null} mover
 * @returns {Picture}
 */
export function pictureOf(places, position, signs, pending, mover) {
  const drawers = drawersOf(position);
  const waits = pending !== null && position.legal[pending] === "1" ? pending : null;
  /** @type {Map<number, string>} */
  const edges = new Map();
  for (const action of places.ends.keys()) {
    const drawer = action === waits ? mover : drawers.get(action);
    const drawn = drawer === undefined ? "free" : `drawn ${seatClass(drawer)}`;
    edges.set(action, action === waits ? `${drawn} pending` : drawn);
  }
  const winning = new Set(position.winning);
  const fresh = new Set(lastCells(places, position));
  const waiting = new Set(waits === null || places.ends.size ? [] : claims(places, position, waits));
  const cells = [];
  const letters = [];
  const owners = [];
  for (let cell = 0; cell < places.cells.length; cell += 1) {
    const pends = waiting.has(cell);
    const owner = pends ? mover : ownerOf(position, cell);
    const owned = owner !== null || pends;
    cells.push(
      (owned ? `owned ${seatClass(owner)}` : "empty") +
        (pends ? " pending" : "") +
        (winning.has(cell) ? " winning" : "") +
        (fresh.has(cell) ? " last" : ""),
    );
    owners.push(owner);
    letters.push(owner === null ? "" : signs[owner]);
  }
  return { edges, cells, owners, letters, last: waits ?? position.last };
}

/** @param {Seat | null} seat */
function seatClass(seat) {
  return seat === null ? "nobody" : `seat${seat}`;
}

/**
 * What differs between two pictures. `drawn` are edges that were free before, `won` the cells that
 * nobody owned before and that somebody owns now.
 * @typedef {{edges: number[], cells: number[], drawn: number[], won: number[]}} Difference
 */

/**
 * Return what differs from an earlier picture; null stands for an empty one.
 * @param {Picture | null} before
 * @param {Picture} after
 * @returns {Difference}
 */
export function differences(before, after) {
  /** @type {Difference} */
  const found = { edges: [], cells: [], drawn: [], won: [] };
  for (const [action, look] of after.edges) {
    const old = before?.edges.get(action) ?? "";
    if (old === look) continue;
    found.edges.push(action);
    if (!old.startsWith("drawn") && look.startsWith("drawn")) found.drawn.push(action);
  }
  after.cells.forEach((look, cell) => {
    const old = before?.cells[cell] ?? "";
    if (old === look && before?.letters[cell] === after.letters[cell]) return;
    found.cells.push(cell);
    if (!old.startsWith("owned") && look.startsWith("owned")) found.won.push(cell);
  });
  return found;
}

/**
 * Return whether a position continues an earlier one by some moves, so that they may be animated.
 * @param {Position} before
 * @param {Position} after
 */
export function continues(before, after) {
  const { played } = before;
  return after.played.length >= played.length && played.every((action, ply) => after.played[ply] === action);
}
