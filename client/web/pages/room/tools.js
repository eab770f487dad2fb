// Below the moves: the overlay's switch, and a field for typed moves and commands.

import { useRef, useState } from "preact/hooks";

import { answerCommand } from "../../board/speech.js";
import { html } from "../../html.js";
import { clockFace } from "../../widgets/clock.js";
import { Switch } from "../../widgets/field.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Tools({ room }) {
  room.version.value;
  const { overlay } = room.app.settings;
  return html`
    <section class="room-tools" aria-label="Tools">
      ${
        room.may.featuresHere
          ? html`<div class=${`room-overlay-switch ${room.may.overlay ? "" : "away"}`}>
              ${
                room.may.overlay
                  ? html`<${Switch} label="Chains and loops" checked=${overlay.value}
                      onChange=${(/** @type {boolean} */ on) => (overlay.value = on)} />`
                  : null
              }
            </div>`
          : null
      }
      <${Commands} room=${room} />
    </section>
  `;
}

/** @param {{room: RoomController}} props */
function Commands({ room }) {
  const [answer, setAnswer] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const run = (/** @type {Event} */ event) => {
    event.preventDefault();
    const input = field.current;
    if (input === null || !input.value.trim()) return;
    const found = answerCommand(room.model.geometry, input.value, situation(room));
    input.value = "";
    if ("action" in found) {
      setAnswer("");
      room.play(found.action);
      return;
    }
    setAnswer(found.text);
    room.app.say(found.text);
  };
  return html`
    <form class="room-commands" onSubmit=${run}>
      <input ref=${field} class="input" type="text" aria-label="Move or command" name="command"
        placeholder="Type a move, or help" autocomplete="off" autocapitalize="off"
        spellcheck=${false} enterkeyhint="send" maxlength="60" />
      <p class="room-commands-answer">${answer}</p>
    </form>
  `;
}

/**
 * Describe the room for typed commands.
 *
 * @param {RoomController} room
 */
function situation(room) {
  const { model, text, app } = room;
  const now = app.now();
  const clocks = [0, 1].map((seat) => {
    const left = model.clock(seat, now);
    return left === null ? null : clockFace(left.ms).text;
  });
  const names = [model.name(0), model.name(1)];
  return { position: model.shown, names, clocks, status: text.statusLine };
}
