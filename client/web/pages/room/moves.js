// List the moves of a match by turn; a click shows the position after a move.

import { useRef } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { useShownMove } from "../../widgets/shown-move.js";
import { Step } from "../../widgets/step.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Moves({ room }) {
  room.version.value;
  const { model } = room;
  const { turns, total } = model.history;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const ply = model.ply;
  // The turns may be known later than their number.
  useShownMove(list, [ply, total, turns.length]);
  const listed = turns.some(({ moves }) => moves.some((move) => move.ply === ply));
  const step = (/** @type {number} */ at, /** @type {string} */ name, /** @type {string} */ kind) =>
    html`<button type="button" key=${at} class=${`room-move move ${kind}`}
      aria-current=${at === ply ? "step" : undefined}
      tabindex=${at === (listed ? ply : 0) ? 0 : -1}
      onClick=${() => room.lookAt(at)}>${name}</button>`;
  const start = model.mirror.settings.opening.length ? tr("After the opening") : tr("Start");
  const [first, last] = [ply === 0, ply === total];
  return html`
    <section class="room-moves" aria-label=${tr("Moves")}>
      <div class="step-buttons" role="group" aria-label=${tr("Step through the moves")}>
        <${Step} name=${tr("First position")} path="M18 5L9 12l9 7zM6 5v14" off=${first} press=${() => room.lookAt(0)} />
        <${Step} name=${tr("Back one move")} path="M16 5l-9 7 9 7z" off=${first} press=${() => room.step(-1)} />
        <${Step} name=${tr("Forward one move")} path="M8 5l9 7-9 7z" off=${last} press=${() => room.step(1)} />
        <${Step} name=${tr("Latest position")} path="M6 5l9 7-9 7zM18 5v14" off=${last} press=${() => room.lookAt(null)} />
      </div>
      <ol class="room-turns turns" role="list" translate=${false} ref=${list} onKeyDown=${(/** @type {KeyboardEvent} */ event) => stepBy(room, event)}>
        <li class="turn" translate=${true}>${step(0, start, "start")}</li>
        ${turns.map(
          (turn) => html`
            <li class="turn" key=${turn.number}>
              <span class="turn-number numbers muted small" aria-hidden="true">${turn.number}</span>
              <span class="visually-hidden">${model.name(turn.seat)}:</span>
              <span class="turn-moves">
                ${turn.moves.map((move) =>
                  step(move.ply, model.geometry.names[move.action] ?? String(move.action), `seat${turn.seat}`),
                )}
              </span>
            </li>
          `,
        )}
      </ol>
    </section>
  `;
}

/**
 * Step with an arrow key: left and right to the next move, up and down to the next turn.
 *
 * @param {RoomController} room
 * @param {KeyboardEvent} event
 */
function stepBy(room, event) {
  const { history, ply } = room.model;
  /** @type {Record<string, () => number>} */
  const places = {
    ArrowLeft: () => Math.max(0, ply - 1),
    ArrowRight: () => ply + 1,
    ArrowUp: () => history.turnBefore(ply),
    ArrowDown: () => history.turnAfter(ply),
  };
  const place = places[event.key];
  if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  room.lookAt(place());
}
