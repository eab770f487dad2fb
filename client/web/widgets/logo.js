// Draw the logo: a small board on which each player has captured a box.
//
// Props: size (in px, 30).

import { html } from "../html.js";

/** The edges: column and row of the first dot, whether it is vertical, the seat that drew it. */
const EDGES = /** @type {const} */ ([
  [0, 0, false, 0],
  [0, 0, true, 1],
  [1, 0, true, 0],
  [0, 1, false, 0],
  [1, 1, false, 1],
  [1, 1, true, 0],
  [2, 1, true, 1],
  [1, 2, false, 1],
]);
const BOXES = /** @type {const} */ ([
  [0, 0, 0],
  [1, 1, 1],
]);
const CELL = 24;
const DOTS = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => [column, row]));

/** @param {{size?: number}} props */
export function Logo({ size = 30 }) {
  const at = (/** @type {number} */ index) => 6 + index * CELL;
  return html`<svg
    class="logo"
    width=${size}
    height=${size}
    viewBox="0 0 60 60"
    aria-hidden="true"
    focusable="false"
  >
    ${BOXES.map(
      ([column, row, seat]) =>
        html`<rect x=${at(column)} y=${at(row)} width=${CELL} height=${CELL} class=${`fill${seat}`} />`,
    )}
    ${EDGES.map(
      ([column, row, down, seat]) =>
        html`<line
          x1=${at(column)}
          y1=${at(row)}
          x2=${at(down ? column : column + 1)}
          y2=${at(down ? row + 1 : row)}
          class=${`stroke${seat}`}
        />`,
    )}
    ${DOTS.map(([column = 0, row = 0]) => html`<circle cx=${at(column)} cy=${at(row)} r="4" />`)}
  </svg>`;
}
