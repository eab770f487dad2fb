// The line below the board: what to do now, or the steps through earlier positions.

import { html } from "../../html.js";
import { useNow } from "../../widgets/clock.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Status({ room }) {
  room.version.value;
  return html`
    <div class="room-status">
      ${
        room.model.viewing === null
          ? html`<${Sentence} room=${room} />`
          : html`<${LookBack} room=${room} />`
      }
    </div>
  `;
}

/** @param {{room: RoomController}} props */
function Sentence({ room }) {
  room.version.value;
  const now = useNow(room.app, 500);
  const { text, kind } = room.sentence(now);
  return html`<p class=${`sentence ${kind}`}>${text}</p>`;
}

/** @param {{room: RoomController}} props */
function LookBack({ room }) {
  room.version.value;
  const { ply, history } = room.model;
  const where = ply ? `Move ${ply} of ${history.total}` : "The start";
  return html`
    <div class="look-back" role="group" aria-label="Earlier positions">
      <button type="button" class="button small" aria-label="Back one move" disabled=${ply === 0}
        onClick=${() => room.step(-1)}>‹</button>
      <button type="button" class="button small" aria-label="Forward one move"
        onClick=${() => room.step(1)}>›</button>
      <span class="look-back-where">
        ${where}<span class="look-back-note"> · an earlier position</span>
      </span>
      <button type="button" class="button small" onClick=${() => room.lookAt(null)}>Latest</button>
    </div>
  `;
}
