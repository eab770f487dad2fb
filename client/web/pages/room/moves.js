// List the moves of a match by turn; a click shows the position after a move.

import { useRef } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { useShownMove } from "../../widgets/shown-move.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

const WorstMove = later(() =>
  withStyle("values", async () => (await import("../../study/worst-move.js")).WorstMove),
);

/** @param {{room: RoomController}} props */
export function Moves({ room }) {
  room.version.value;
  const { model } = room;
  const { turns, total } = model.history;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const ply = model.ply;
  useShownMove(list, [ply, total]);
  const listed = turns.some(({ moves }) => moves.some((move) => move.ply === ply));
  const step = (/** @type {number} */ at, /** @type {string} */ name, /** @type {string} */ kind) =>
    html`<button type="button" key=${at} class=${`room-move ${kind}`}
      aria-current=${at === ply ? "step" : undefined}
      tabindex=${at === (listed ? ply : 0) ? 0 : -1}
      onClick=${() => room.lookAt(at)}>${name}</button>`;
  return html`
    <section class="room-moves" aria-label=${tr("Moves")}>
      <div class="room-steps" role="group" aria-label=${tr("Step through the moves")}>
        ${stepButton(tr("First position"), "«", ply === 0, () => room.lookAt(0))}
        ${stepButton(tr("Back one move"), "‹", ply === 0, () => room.step(-1))}
        ${stepButton(tr("Forward one move"), "›", ply === total, () => room.step(1))}
        ${stepButton(tr("Latest position"), "»", ply === total, () => room.lookAt(null))}
      </div>
      <div class="room-turns" ref=${list} onKeyDown=${(/** @type {KeyboardEvent} */ event) => stepBy(room, event)}>
        ${step(0, model.mirror.settings.opening.length ? tr("After the opening") : tr("Start"), "start")}
        <ol translate=${false}>
          ${turns.map(
            (turn) => html`
              <li key=${turn.number}>
                <span class="room-turn-number" aria-hidden="true">${turn.number}.</span>
                <span class="visually-hidden">${model.name(turn.seat)}:</span>
                ${turn.moves.map((move) =>
                  step(
                    move.ply,
                    model.geometry.names[move.action] ?? String(move.action),
                    `seat${turn.seat}`,
                  ),
                )}
              </li>
            `,
          )}
        </ol>
      </div>
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

/**
 * Make a button that keeps the focus when there is nothing more to step to.
 *
 * @param {string} label
 * @param {string} text
 * @param {boolean} disabled
 * @param {() => void} act
 */
function stepButton(label, text, disabled, act) {
  return html`<button type="button" class="button small" aria-label=${label}
    aria-disabled=${disabled} onClick=${() => !disabled && act()}>${text}</button>`;
}
