// A choice of speeds at which moves are shown.
//
// Pace props: usual (the title of null), pace (seconds a move, or null), onPace(pace).

import { html } from "../html.js";
import { tr } from "../texts.js";

/** The speeds to choose from: seconds a move and their titles. */
const PACES = /** @type {const} */ ([
  [0.5, tr("0.5 s a move")],
  [1, tr("1 s a move")],
  [2, tr("2 s a move")],
]);

/** @param {{usual: string, pace: number | null, onPace: (pace: number | null) => void}} props */
export function Pace({ usual, pace, onPace }) {
  const change = (/** @type {Event} */ { currentTarget }) =>
    onPace(Number(/** @type {HTMLSelectElement} */ (currentTarget).value) || null);
  return html`<select class="input" aria-label=${tr("Speed")} value=${pace ?? ""} onChange=${change}>
    <option value="">${usual}</option>
    ${PACES.map(([each, title]) => html`<option key=${each} value=${each}>${title}</option>`)}
  </select>`;
}
