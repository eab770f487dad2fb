// A picture of a chain: what its boxes look like before somebody opens it.

import { html } from "../../html.js";
import { tr } from "../../texts.js";

const STEP = 40;
const LEFT = 12;
const TOP = 12;

/** The edges of a chain of four boxes; true: drawn. Each box has two drawn edges. */
const DRAWN = [0, 1, 2, 3].flatMap((col) => [
  [col, 0, col + 1, 0],
  [col, 1, col + 1, 1],
]);
const FREE = [0, 1, 2, 3, 4].map((col) => [col, 0, col, 1]);

export function ChainPicture() {
  const at = (/** @type {number} */ x) => LEFT + x * STEP;
  const line = (/** @type {string} */ kind) => (/** @type {number[]} */ [x1, y1, x2, y2]) =>
    html`<path key=${`${x1} ${y1} ${x2}`} class=${kind} d=${`M${at(x1)} ${TOP + y1 * STEP}L${at(x2)} ${TOP + y2 * STEP}`} />`;
  return html`<figure class="chain-figure">
    <svg
      class="chain-picture"
      viewBox="0 0 184 64"
      width="276"
      height="96"
      role="img"
      aria-label=${tr("Four boxes in a row, each with its upper and its lower edge drawn")}
    >
      <rect class="chain-area" x=${LEFT} y=${TOP} width=${4 * STEP} height=${STEP} />
      ${FREE.map(line("chain-free"))} ${DRAWN.map(line("chain-drawn"))}
      ${[0, 1].flatMap((row) =>
        [0, 1, 2, 3, 4].map(
          (col) => html`<circle key=${`${col} ${row}`} class="chain-dot" cx=${at(col)} cy=${TOP + row * STEP} r="4.5" />`,
        ),
      )}
    </svg>
    <figcaption class="muted small">
      ${tr("A chain of four. Whoever draws one of the dashed edges opens it: the opponent then captures all four boxes, one after the other.")}
    </figcaption>
  </figure>`;
}
