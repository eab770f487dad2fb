// List the moves of a match by turn; a click shows the position after a move.

import { useEffect, useRef } from "preact/hooks";

import { html } from "../../html.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Moves({ room }) {
  room.version.value;
  const { model } = room;
  const { turns, total } = model.history;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const ply = model.ply;
  useEffect(() => {
    const box = list.current;
    const marked = box?.querySelector('[aria-current="step"]');
    if (box === null || !(marked instanceof HTMLElement)) return;
    // Scroll the list only, never the page.
    const top = marked.offsetTop - box.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + marked.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + marked.offsetHeight - box.clientHeight;
    }
  }, [ply, total]);
  const step = (/** @type {number} */ at, /** @type {string} */ name, /** @type {string} */ kind) =>
    html`<button type="button" key=${at} class=${`room-move ${kind}`}
      aria-current=${at === ply ? "step" : undefined}
      onClick=${() => room.lookAt(at)}>${name}</button>`;
  return html`
    <section class="room-moves" aria-label="Moves">
      <div class="room-steps" role="group" aria-label="Step through the moves">
        ${stepButton("First position", "«", ply === 0, () => room.lookAt(0))}
        ${stepButton("Back one move", "‹", ply === 0, () => room.step(-1))}
        ${stepButton("Forward one move", "›", ply === total, () => room.step(1))}
        ${stepButton("Latest position", "»", ply === total, () => room.lookAt(null))}
      </div>
      <div class="room-turns" ref=${list} tabindex="-1">
        ${step(0, model.mirror.settings.opening.length ? "After the opening" : "Start", "start")}
        <ol>
          ${turns.map(
            (turn) => html`
              <li key=${turn.number}>
                <span class="room-turn-number" aria-hidden="true">${turn.number}.</span>
                <span class="visually-hidden">${model.name(turn.seat)}:</span>
                ${turn.moves.map((move) =>
                  step(
                    move.ply,
                    model.geometry.names[move.action] ?? String(move.action),
                    `seat-${turn.seat}`,
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
