// The score as a bar: each player's boxes fill it from one end, and who passes the middle wins.
//
// For spectators of a match whose players allow it, the rest has the colours of who will get it with best play.

import { html } from "../../html.js";

/** @param {{room: import("./controller.js").RoomController, left: number}} props */
export function ScoreBar({ room, left }) {
  room.version.value;
  const { geometry, shown, mirror } = room.model;
  // The cards of the seats have the numbers. Games that are only won or lost have none.
  if (!geometry.unit || mirror.match === 0) return null;
  const all = geometry.cells.length;
  const coming = room.evaluation?.coming;
  const part = (/** @type {string} */ kind, /** @type {number} */ points) =>
    html`<span class=${kind} style=${{ inlineSize: `${(100 * points) / all}%` }}></span>`;
  const [first, last] = [left, 1 - left].map((seat) => part(`seat${seat}`, shown.scores[seat] ?? 0));
  const [next, then] = [left, 1 - left].map((seat) => coming && part(`coming seat${seat}`, coming[seat]));
  return html`<div class="score-bar" style=${{ "--boxes": String(all) }} aria-hidden="true">${first}${next}${then}${last}</div>`;
}
