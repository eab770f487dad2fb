// The score as a bar: each player's boxes fill it from one end, and who passes the middle wins.

import { html } from "../../html.js";

/** @param {{room: import("./controller.js").RoomController, left: number}} props */
export function ScoreBar({ room, left }) {
  room.version.value;
  const { geometry, shown, mirror } = room.model;
  // The cards of the seats have the numbers. Games that are only won or lost have none.
  if (!geometry.unit || mirror.match === 0) return null;
  return html`<${Bar} all=${geometry.cells.length} left=${left} scores=${shown.scores} coming=${room.evaluation?.coming} />`;
}

/**
 * For spectators of a match whose players allow it, the rest has the colours of who gets it with best play: `coming`.
 *
 * @param {{all: number, left: number, scores: readonly number[], coming?: readonly number[] | null}} props
 */
export function Bar({ all, left, scores, coming }) {
  const part = (/** @type {number} */ seat, /** @type {readonly number[]} */ points, kind = "") =>
    html`<span class=${`${kind}seat${seat}`} style=${{ inlineSize: `${(100 * (points[seat] ?? 0)) / all}%` }}></span>`;
  const right = 1 - left;
  return html`<div class="score-bar" style=${{ "--boxes": String(all) }} aria-hidden="true">
    ${part(left, scores)}${coming && [part(left, coming, "coming "), part(right, coming, "coming ")]}${part(right, scores)}
  </div>`;
}
