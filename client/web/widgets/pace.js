// A choice of speeds at which moves are shown.
//
// Pace props: usual (the title of null), pace (seconds a move, or null), onPace(pace).

import { html } from "../html.js";

/** The speeds to choose from, in seconds a move. */
const PACES = [0.5, 1, 2];

/** @param {{usual: string, pace: number | null, onPace: (pace: number | null) => void}} props */
export function Pace({ usual, pace, onPace }) {
  const change = (/** @type {Event} */ { currentTarget }) =>
    onPace(Number(/** @type {HTMLSelectElement} */ (currentTarget).value) || null);
  return html`<select class="input" aria-label="Speed" value=${pace ?? ""} onChange=${change}>
    <option value="">${usual}</option>
    ${PACES.map((each) => html`<option key=${each} value=${each}>${each} s a move</option>`)}
  </select>`;
}
