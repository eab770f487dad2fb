// Find the action at a point, the action next to another one, and the middles of both.
//
// Coordinates are the board units of the geometry's points, with x to the right and y downwards.

/** @import { Geometry, Point } from "./types" */

/** The greatest distance from a segment at which a pointer selects it, by kind of pointer. The middle of a box selects none. */
const REACH = { mouse: 0.32, touch: 0.38 };
/** A mouse this near to an end that several segments share selects none: it would be arbitrary. */
const AT_A_DOT = 0.1;
/** Another segment must be nearer by so much to replace the one selected before. */
const STICKY = 0.08;
/** How much nearer a segment that cannot be played may be than one that can, by kind of pointer. */
const SLACK = { mouse: 0.1, touch: 0.4 };

/** @type {WeakMap<Geometry, BoardPlaces>} */
const known = new WeakMap();

/**
 * Return the places of a geometry; all boards and texts of it share them.
 * @param {Geometry} geometry
 */
export function placesOf(geometry) {
  const places = known.get(geometry) ?? new BoardPlaces(geometry);
  known.set(geometry, places);
  return places;
}

export class BoardPlaces {
  /** @param {Geometry} geometry */
  constructor(geometry) {
    this.geometry = geometry;
    const { points } = geometry;
    /** @type {Map<number, readonly [Point, Point]>} */
    this.ends = new Map(geometry.segments.map((s) => [s.action, [points[s.start], points[s.end]]]));
    /** @type {Map<number, Point[][]>} */
    this.regions = new Map();
    for (const region of geometry.regions) {
      const corners = region.corners.map((corner) => points[corner]);
      this.regions.set(region.action, [...(this.regions.get(region.action) ?? []), corners]);
    }
    /** @type {Point[][]} The corners of each cell. */
    this.cells = geometry.cells.map((cell) => cell.corners.map((corner) => points[corner]));
    /** @type {Point[]} */
    this.cellMiddles = this.cells.map(centre);
    /** @type {Map<number, Point>} The middle of each action: of its segment or first region. */
    this.middles = new Map();
    for (const [action, ends] of this.ends) this.middles.set(action, centre(ends));
    for (const [action, regions] of this.regions) this.middles.set(action, centre(regions[0]));
    const uses = new Map();
    for (const { start, end } of geometry.segments)
      for (const point of [start, end]) uses.set(point, (uses.get(point) ?? 0) + 1);
    /** @type {Point[]} */
    this._shared = [...uses].filter(([, count]) => count > 1).map(([point]) => points[point]);
  }

  /**
   * Return the action that a pointer at (x, y) selects, among those that may be played, or null.
   *
   * `selected` is the action before: a small movement at the border of two edges does not change it.
   * @param {number} x
   * @param {number} y
   * @param {string} legal
   * @param {"mouse" | "touch"} kind
   * @param {number | null} [selected]
   * @returns {number | null}
   */
  actionAt(x, y, legal, kind, selected = null) {
    let best = null;
    let least = REACH[kind];
    let taken = Infinity;
    for (const [action, [start, end]] of this.ends) {
      const away = distance(x, y, start, end) - (action === selected ? STICKY : 0);
      if (legal[action] !== "1") taken = Math.min(taken, away);
      else if (away < least) [best, least] = [action, away];
    }
    if (this.ends.size) {
      if (least > taken + SLACK[kind]) return null;
      const atADot = kind === "mouse" && this._shared.some(([px, py]) => Math.hypot(x - px, y - py) <= AT_A_DOT);
      return atADot && best !== selected ? null : best;
    }
    const action = this.regionAt(x, y);
    return action !== null && legal[action] === "1" ? action : null;
  }

  /**
   * Return the action whose region contains (x, y), or null.
   * @param {number} x
   * @param {number} y
   */
  regionAt(x, y) {
    for (const [action, regions] of this.regions)
      if (regions.some((corners) => inside(x, y, corners))) return action;
    return null;
  }

  /**
   * Return the cell that contains (x, y), or null.
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    const cell = this.cells.findIndex((corners) => inside(x, y, corners));
    return cell < 0 ? null : cell;
  }

  /**
   * Return the action to which an arrow key in direction (dx, dy) leads from `focus`.
   *
   * The result may be played, or is `focus` if no such action lies in that direction. Without a
   * focus it is the one nearest to the middle of the board. It is null when none may be played.
   *
   * Left and right go through a row and on to the next row, as in text, so that every action can
   * be reached. Up and down lead to the nearest row, even if its actions are not straight ahead:
   * rows of horizontal and vertical edges alternate and are offset. Of two actions at the same
   * distance, take the one in the same column, so that repeated keys go straight on.
   * @param {string} legal
   * @param {number | null} focus
   * @param {number} dx
   * @param {number} dy
   * @returns {number | null}
   */
  step(legal, focus, dx, dy) {
    const free = this._free(legal);
    if (!free.length) return null;
    const from = focus === null ? undefined : this.middles.get(focus);
    if (from === undefined) return this._central(free);
    const [x, y] = from;
    if (dx) return this._along(free, focus, x, y, dx);
    let best = focus;
    let least = Infinity;
    let aligned = false;
    for (const [action, [toX, toY]] of free) {
      const along = (toY - y) * dy;
      const aside = Math.abs(toX - x);
      if (along <= 0 || along < aside) continue;
      const cost = along + 0.9 * aside;
      const same = Math.floor(toX) === Math.floor(x);
      if (cost < least || (cost === least && same && !aligned)) [best, least, aligned] = [action, cost, same];
    }
    return best;
  }

  /**
   * Return the first (or the last) action that may be played, in reading order; null if none may.
   * @param {string} legal
   * @param {boolean} last
   */
  outermost(legal, last) {
    const order = this._free(legal).sort(([, a], [, b]) => a[1] - b[1] || a[0] - b[0]);
    return (last ? order.at(-1) : order[0])?.[0] ?? null;
  }

  /**
   * @param {string} legal
   * @returns {[number, Point][]}
   */
  _free(legal) {
    return [...this.middles].filter(([action]) => legal[action] === "1");
  }

  /** @param {[number, Point][]} free */
  _central(free) {
    const { width, height } = this.geometry;
    let best = null;
    let least = Infinity;
    for (const [action, [x, y]] of free) {
      const away = Math.hypot(x - width / 2, y - height / 2);
      if (away < least) [best, least] = [action, away];
    }
    return best;
  }

  /**
   * @param {[number, Point][]} free
   * @param {number | null} focus
   * @param {number} x
   * @param {number} y
   * @param {number} dx
   */
  _along(free, focus, x, y, dx) {
    let best = focus;
    /** @type {Point | null} */
    let at = null;
    for (const [action, place] of free) {
      const order = (place[1] - y || place[0] - x) * dx;
      if (order <= 0) continue;
      if (at === null || (place[1] - at[1] || place[0] - at[0]) * dx < 0) [best, at] = [action, place];
    }
    return best;
  }
}

/**
 * Return the middle of some points.
 * @param {readonly Point[]} points
 * @returns {Point}
 */
export function centre(points) {
  const sum = points.reduce(([sx, sy], [x, y]) => [sx + x, sy + y], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

/**
 * Return the distance from (x, y) to the stroke between two points.
 * @param {number} x
 * @param {number} y
 * @param {Point} start
 * @param {Point} end
 */
export function distance(x, y, start, end) {
  const dx = end[0] - start[0];
  const dy = end[1] - start[1];
  const length = dx * dx + dy * dy;
  const along = length ? ((x - start[0]) * dx + (y - start[1]) * dy) / length : 0;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - start[0] - share * dx, y - start[1] - share * dy);
}

/**
 * Return whether a point is in a polygon: a ray to the right crosses an odd number of its borders.
 * @param {number} x
 * @param {number} y
 * @param {readonly Point[]} corners
 */
export function inside(x, y, corners) {
  let found = false;
  corners.forEach(([x0, y0], at) => {
    const [x1, y1] = corners[(at + 1) % corners.length];
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) * (x1 - x0)) / (y1 - y0)) found = !found;
  });
  return found;
}
