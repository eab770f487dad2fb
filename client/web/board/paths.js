// Turn a feature of a position, such as a chain, into paths through the middles of its cells.

import { plural, tr } from "../texts.js";

/** @import { Feature, Point } from "./types" */
/** @import { BoardPlaces } from "./places.js" */

/**
 * The drawing of a feature, in board units. Each of `strokes` is a path of at least two points.
 * `anchor` is the middle of its label, which may be `room` units long. `look` is the class that
 * gives colour and pattern.
 * @typedef {{feature: Feature, look: string, strokes: Point[][], anchor: Point, room: number}} FeaturePath
 */

/**
 * The features that have a look of their own, by class: their names in the legend, in its order.
 * @type {Readonly<Record<string, string>>}
 */
export const LOOKS = {
  "long-chain": tr("long chain"),
  chain: tr("short chain"),
  loop: tr("loop"),
  capturable: tr("can be taken now"),
};

/**
 * Return the class of a feature: its kind, except that long chains have one of their own.
 * @param {Feature} feature
 */
export function lookOf({ kind, label }) {
  if (kind === "chain" && label.startsWith("long")) return "long-chain";
  return kind in LOOKS ? kind : "other";
}

/**
 * Return the label of a feature in the language of the page; a kind that is unknown here keeps that of the server.
 * @param {Feature} feature
 */
export function labelOf({ kind, label, cells, declinable: last }) {
  const n = cells.length;
  if (kind === "loop") return tr("loop of {n}", { n });
  if (kind === "chain") {
    return label.startsWith("long") ? tr("long chain of {n}", { n }) : plural("chain of 1", "chain of {n}", n);
  }
  if (kind !== "capturable") return label;
  return last
    ? tr("{n} to take, the last {last} can be declined", { n, last })
    : plural("1 to take", "{n} to take", n);
}

/**
 * Return the entries of the legend for some features: class and name.
 * @param {readonly Feature[]} features
 * @returns {[string, string][]}
 */
export function legendOf(features) {
  const found = new Map(features.map((feature) => [lookOf(feature), feature.kind]));
  const known = Object.entries(LOOKS).filter(([look]) => found.has(look));
  const other = [...new Set(features.filter((each) => lookOf(each) === "other").map((each) => each.kind))];
  return [...known, ...other.map((kind) => /** @type {[string, string]} */ (["other", kind]))];
}

/**
 * Return the drawing of a feature, or null if it has no cells.
 *
 * The path joins a cell to the next one if one of the feature's actions lies between them. It goes
 * back to the first cell if such an action joins the last cell to the first. If not, it leaves the
 * first and the last cell across actions of the feature that join no two of its cells.
 * @param {BoardPlaces} places
 * @param {Feature} feature
 * @returns {FeaturePath | null}
 */
export function featurePath(places, feature) {
  const cells = feature.cells.filter((cell) => cell < places.cells.length);
  if (!cells.length) return null;
  const own = new Set(feature.actions);
  const around = cells.map((cell) => places.geometry.cells[cell].segments.filter((action) => own.has(action)));
  const middles = cells.map((cell) => places.cellMiddles[cell]);
  const between = (/** @type {number} */ one, /** @type {number} */ other) => {
    const shared = around[one].filter((action) => around[other].includes(action));
    return shared.length ? middleOf(places, Math.min(...shared)) : null;
  };
  /** @type {Point[][]} */
  const strokes = [[middles[0]]];
  for (let at = 1; at < cells.length; at += 1) {
    const joint = between(at - 1, at);
    if (joint) /** @type {Point[]} */ (strokes.at(-1)).push(joint, middles[at]);
    else strokes.push([middles[at]]);
  }
  const closing = cells.length > 2 ? between(0, cells.length - 1) : null;
  if (closing) /** @type {Point[]} */ (strokes.at(-1)).push(closing, middles[0]);
  else {
    const [first, last] = ends(around);
    if (first !== undefined) strokes[0].unshift(middleOf(places, first));
    if (last !== undefined) /** @type {Point[]} */ (strokes.at(-1)).push(middleOf(places, last));
  }
  return {
    feature,
    look: lookOf(feature),
    strokes: strokes.map((stroke) => (stroke.length > 1 ? stroke : [stroke[0], stroke[0]])),
    ...widest(middles),
  };
}

/**
 * @param {BoardPlaces} places
 * @param {number} action
 */
function middleOf(places, action) {
  return /** @type {Point} */ (places.middles.get(action));
}

/**
 * Return the action that leads out of the first cell, and the one out of the last.
 * @param {number[][]} around the feature's actions around each cell
 * @returns {[number | undefined, number | undefined]}
 */
function ends(around) {
  const sorted = (/** @type {number[]} */ list) => [...list].sort((a, b) => a - b);
  if (around.length === 1) {
    const only = sorted(around[0]);
    return [only[0], only.length > 1 ? only.at(-1) : undefined];
  }
  const outside = (/** @type {number} */ cell, /** @type {number} */ next) =>
    sorted(around[cell].filter((action) => !around[next].includes(action)));
  const last = around.length - 1;
  return [outside(0, 1)[0], outside(last, last - 1).at(-1)];
}

/**
 * Return the middle and length of the longest horizontal row of neighbouring cells.
 *
 * Of rows of equal length, take the one nearest to the middle of the list.
 * @param {Point[]} middles
 * @returns {{anchor: Point, room: number}}
 */
function widest(middles) {
  /** @type {number[][]} */
  const rows = [];
  const order = [...middles.keys()].sort((a, b) => middles[a][1] - middles[b][1] || middles[a][0] - middles[b][0]);
  for (const number of order) {
    const row = rows.at(-1);
    const last = row === undefined ? undefined : middles[/** @type {number} */ (row.at(-1))];
    const [x, y] = middles[number];
    if (row && last && last[1] === y && x - last[0] <= 1) row.push(number);
    else rows.push([number]);
  }
  const centre = (middles.length - 1) / 2;
  const off = (/** @type {number[]} */ row) => Math.min(...row.map((number) => Math.abs(number - centre)));
  const best = rows.reduce((one, other) =>
    other.length > one.length || (other.length === one.length && off(other) < off(one)) ? other : one,
  );
  const [left, right] = [middles[best[0]], middles[/** @type {number} */ (best.at(-1))]];
  return { anchor: [(left[0] + right[0]) / 2, left[1]], room: best.length };
}
