// The outlines of lines, discs and signs, in the units of the SVG.

import { round, UNIT } from "./svg.js";

/** @import { Point } from "./types" */

const DISC = 0.39;
const SIGN = 0.3;

/**
 * Return the attributes of a line between two points.
 * @param {Point} start
 * @param {Point} end
 */
export function lineBetween([x1, y1], [x2, y2]) {
  return { x1: x1 * UNIT, y1: y1 * UNIT, x2: x2 * UNIT, y2: y2 * UNIT };
}

/**
 * Return the path of a circle around a point; by default one as large as a disc in a cell.
 * @param {Point} middle
 * @param {number} [reach] the radius, in board units
 */
export function circleAt([x, y], reach = DISC) {
  const r = reach * UNIT;
  return `M${round(x * UNIT - r)} ${round(y * UNIT)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

/**
 * Return the path of a seat's disc. That of the second seat has a groove, so that colours are not
 * the only sign.
 * @param {Point} middle
 * @param {number | null} seat
 */
export function discPath(middle, seat) {
  if (seat !== 1) return circleAt(middle);
  return `${circleAt(middle)}${circleAt(middle, 0.24)}${circleAt(middle, 0.19)}`;
}

/**
 * Return the path of the sign of a seat in a cell: a cross for "X", and a ring for others.
 * @param {string} sign
 * @param {Point} middle
 */
export function signPath(sign, [x, y]) {
  if (sign !== "X") return circleAt([x, y], SIGN);
  const r = SIGN * UNIT;
  const [left, top] = [round(x * UNIT - r), round(y * UNIT - r)];
  return `M${left} ${top}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
}

/**
 * Return the attributes of a rectangle with round ends around the stroke between two points.
 * @param {Point} start
 * @param {Point} end
 * @param {number} reach in board units
 */
export function capsule(start, end, reach) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const angle = (Math.atan2(end[1] - start[1], end[0] - start[0]) * 180) / Math.PI;
  const r = reach * UNIT;
  return {
    x: -r,
    y: -r,
    width: length * UNIT + 2 * r,
    height: 2 * r,
    rx: r,
    transform: `translate(${start[0] * UNIT} ${start[1] * UNIT}) rotate(${round(angle)})`,
  };
}

/**
 * Return corners scaled by `share` towards a point.
 * @param {readonly Point[]} corners
 * @param {Point} middle
 * @param {number} share
 * @returns {Point[]}
 */
export function shrunk(corners, [mx, my], share) {
  return corners.map(([x, y]) => [mx + (x - mx) * share, my + (y - my) * share]);
}
