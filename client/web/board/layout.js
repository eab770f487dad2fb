// Place a board in a rectangle of pixels: whole pixels per unit, so that lines are sharp.

/** @import { Geometry } from "./types" */

/**
 * A label: its place along the rim in board units, and its text. `columns` go from the left, `rows`
 * from below.
 * @typedef {readonly [number, string]} Label
 * @typedef {{columns: readonly Label[], rows: readonly Label[]}} Rim
 */

/** @type {Rim} */
export const NO_RIM = { columns: [], rows: [] };

/**
 * The place and scale of a board. A board unit is `unit` pixels, (`left`, `top`) is the pixel of the
 * board's corner (0, 0), and `margin` pixels of the plate are around the board. For labels there
 * are `beside` more on the left, and `below` more below.
 * @typedef {{unit: number, left: number, top: number, margin: number, width: number, height: number,
 *   beside: number, below: number}} Layout
 */

/**
 * Return the share of a unit around the board.
 * @param {Geometry} geometry
 */
export function marginOf(geometry) {
  return geometry.segments.length ? 0.3 : 0.22;
}

/**
 * Return the width of the board with its margin, divided by its height.
 * @param {Geometry} geometry
 */
export function ratioOf(geometry) {
  const margin = 2 * marginOf(geometry);
  return (Math.max(1, geometry.width) + margin) / (Math.max(1, geometry.height) + margin);
}

/**
 * Return the largest layout of a board in the middle of `width` x `height` pixels. Its lines are on
 * whole pixels if the rectangle begins `offset` after one.
 * @param {Geometry} geometry
 * @param {number} width
 * @param {number} height
 * @param {number} [density] device pixels per pixel
 * @param {readonly [number, number]} [offset]
 * @param {Rim} [rim] the labels for which there is space
 * @returns {Layout}
 */
export function fit(geometry, width, height, density = 1, offset = [0, 0], rim = NO_RIM) {
  const across = Math.max(1, geometry.width);
  const down = Math.max(1, geometry.height);
  const share = marginOf(geometry);
  const rough = Math.min(width / (across + 2 * share), height / (down + 2 * share));
  const margin = Math.round(clamp(share * rough, 8, 56));
  // Labels are not larger on a smaller board. Digits are at most 0.7 times as wide as they are high.
  const { label } = lengthsOf(rough);
  const digits = Math.max(0, ...rim.rows.map(([, text]) => text.length));
  const need = clearOf(rough) + 3 - margin;
  const beside = digits && Math.max(0, Math.ceil(need + 0.7 * label * rough * digits));
  const below = rim.columns.length && Math.max(0, Math.ceil(need + label * rough));
  const whole = Math.min((width - beside - 2 * margin) / across, (height - below - 2 * margin) / down);
  const unit = Math.max(4, Math.floor(whole * density) / density);
  return {
    unit,
    left: onPixel((width + beside - unit * geometry.width) / 2, offset[0], density),
    top: onPixel((height - below - unit * geometry.height) / 2, offset[1], density),
    margin,
    width,
    height,
    beside,
    below,
  };
}

/**
 * Return how many pixels edges and dots, with their highlights, reach over the rim of the board.
 * @param {number} unit
 */
export function clearOf(unit) {
  const { glow, dot } = lengthsOf(unit);
  return unit * Math.max(glow / 2, dot) + 1;
}

/**
 * Return the largest length up to `length` that ends on a device pixel.
 * @param {number} length
 * @param {number} offset where it begins
 * @param {number} density
 */
function onPixel(length, offset, density) {
  return Math.floor((length + offset) * density) / density - offset;
}

/**
 * Return the lengths of strokes and signs, in board units, for units of `unit` pixels.
 * @param {number} unit
 */
export function lengthsOf(unit) {
  const stroke = odd(clamp(0.12 * unit, 3, 15));
  const px = {
    stroke,
    faint: odd(clamp(0.035 * unit, 1, 5)),
    glow: stroke + 2 * Math.round(clamp(0.08 * unit, 3, 10)),
    dot: clamp(0.095 * unit, 2.5, 11),
    disc: Math.max(3, 0.39 * unit),
    mark: Math.max(3, 0.32 * unit),
    markWidth: Math.max(2, 0.1 * unit),
    band: odd(clamp(0.3 * unit, 5, 40)),
    thread: clamp(0.035 * unit, 1.2, 3),
    grid: odd(clamp(0.03 * unit, 1, 5)),
    line: clamp(0.05 * unit, 2, 3),
    ring: Math.min(0.3 * unit, Math.max(Math.min(0.17 * unit, 16), stroke / 2 + 4)),
    label: clamp(0.2 * unit, 10, 15),
  };
  return /** @type {typeof px} */ (
    Object.fromEntries(Object.entries(px).map(([name, length]) => [name, length / unit]))
  );
}

/**
 * Return `value`, or the nearer of the two bounds.
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/**
 * Return the odd whole number nearest to `length`: such a stroke is symmetric to its middle.
 * @param {number} length
 */
function odd(length) {
  return 2 * Math.round((length - 1) / 2) + 1;
}
