// A picture of a game in progress, for the first page.

import { html } from "../../html.js";

const CELL = 60;
const SIDE = 4;
/** Captured boxes: column, row and owner. */
const BOXES = /** @type {const} */ ([
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 1],
  [2, 3, 1],
  [3, 3, 1],
  [3, 2, 0],
]);
/** Drawn edges: column and row of the first dot, whether it is vertical, the seat that drew it. */
const EDGES = /** @type {const} */ ([
  ...[[0, 0, 0, 0], [1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0], [0, 2, 0, 1], [3, 2, 0, 0], [3, 3, 0, 0]],
  ...[[2, 3, 0, 1], [2, 4, 0, 1], [3, 4, 0, 0], [1, 3, 0, 1], [2, 1, 0, 1]],
  ...[[0, 0, 1, 1], [1, 0, 1, 0], [2, 0, 1, 0], [0, 1, 1, 0], [1, 1, 1, 1], [3, 2, 1, 1], [4, 2, 1, 0]],
  ...[[2, 3, 1, 1], [3, 3, 1, 1], [4, 3, 1, 1], [3, 1, 1, 0]],
]);
const DOTS = Array.from({ length: (SIDE + 1) ** 2 }, (_, at) => [at % (SIDE + 1), Math.floor(at / (SIDE + 1))]);

export function Demo() {
  const at = (/** @type {number} */ index) => 16 + index * CELL;
  const full = 2 * 16 + SIDE * CELL;
  return html`<svg class="demo" viewBox=${`0 0 ${full} ${full}`} aria-hidden="true" focusable="false">
    ${BOXES.map(
      ([column, row, seat]) => html`<g class=${`seat${seat}`}>
        <rect x=${at(column)} y=${at(row)} width=${CELL} height=${CELL} />
        <text x=${at(column) + CELL / 2} y=${at(row) + CELL / 2}>
          ${seat === 0 ? "A" : "B"}
        </text>
      </g>`,
    )}
    ${EDGES.map(
      ([column = 0, row = 0, down, seat]) => html`<line
        x1=${at(column)}
        y1=${at(row)}
        x2=${at(column + (down ? 0 : 1))}
        y2=${at(row + (down ? 1 : 0))}
        class=${`seat${seat}`}
      />`,
    )}
    ${DOTS.map(([column = 0, row = 0]) => html`<circle cx=${at(column)} cy=${at(row)} r="6" />`)}
  </svg>`;
}
