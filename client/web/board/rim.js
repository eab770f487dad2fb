// Letters below a board and numbers beside it, from the names of its actions.
//
// An action such as `c4` is in the column c and the row 4. A rim exists where each letter belongs to
// one place from left to right, and each number to one place from top to bottom.

import { NO_RIM } from "./layout.js";
import { make, set, UNIT } from "./svg.js";

/** @import { Point } from "./types" */
/** @import { Label, Rim } from "./layout.js" */

/**
 * Return the rim of a board whose actions have these names and middles.
 * @param {ReadonlyMap<number, Point>} middles
 * @param {readonly string[]} names
 * @returns {Rim}
 */
export function findRim(middles, names) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  /** @type {Map<string, number>} */
  const rows = new Map();
  /** @param {Map<string, number>} labels @param {string} text @param {number} at */
  const fits = (labels, text, at) => {
    if (!labels.has(text)) labels.set(text, at);
    return labels.get(text) === at;
  };
  for (const [action, [x, y]] of middles) {
    const [, letter, number] = /^([a-z])(\d*)$/.exec(names[action] ?? "") ?? [];
    if (!letter || !fits(columns, letter, x) || (number && !fits(rows, number, y))) return NO_RIM;
  }
  /** @param {Map<string, number>} labels @param {number} sign @returns {Label[]} */
  const sorted = (labels, sign) =>
    [...labels].map(([text, at]) => /** @type {Label} */ ([at, text])).sort((a, b) => sign * (a[0] - b[0]));
  return { columns: sorted(columns, 1), rows: sorted(rows, -1) };
}

/**
 * Return every label, or every second, third ... of them, so that `least` board units lie between.
 * @param {readonly Label[]} labels
 * @param {number} least
 */
export function thinned(labels, least) {
  const gap = Math.min(...labels.slice(1).map(([at], before) => Math.abs(at - labels[before][0])));
  const every = Math.max(1, Math.ceil(least / gap));
  return labels.filter((_, number) => number % every === 0);
}

/**
 * Write the labels of `rim` into `layer`; the numbers stand at `x`, the letters at `y`, and are
 * `size` high, all in board units.
 * @param {Element} layer
 * @param {Rim} rim
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function writeRim(layer, rim, x, y, size) {
  const places = [
    ...thinned(rim.columns, size).map(([at, text]) => ({ x: at, y, text })),
    ...thinned(rim.rows, size).map(([at, text]) => ({ x, y: at, text })),
  ];
  while (layer.children.length > places.length) layer.lastElementChild?.remove();
  places.forEach((place, number) => {
    const element = layer.children[number] ?? make("text", {}, layer);
    set(element, { x: place.x * UNIT, y: place.y * UNIT });
    element.textContent = place.text;
  });
}
