// The score as a bar: each player's boxes fill it from one end, and who passes the middle wins.

import { html } from "../../html.js";

/** @param {{room: import("./controller.js").RoomController, left: number}} props */
export function ScoreBar({ room, left }) {
  room.version.value;
  const { geometry, shown, mirror } = room.model;
  // The cards of the seats have the numbers. Games that are only won or lost have none.
  if (!geometry.unit || mirror.match === 0) return null;
  const all = geometry.cells.length;
  const part = (/** @type {number} */ seat) =>
    html`<span class=${`seat${seat}`} style=${{ inlineSize: `${(100 * (shown.scores[seat] ?? 0)) / all}%` }}></span>`;
  return html`<div class="score-bar" style=${{ "--boxes": String(all) }} aria-hidden="true">${part(left)}${part(1 - left)}</div>`;
}
