// Below the moves: the overlays' switches, a field for typed moves and commands, and a note.

import { useRef, useState } from "preact/hooks";

import { html } from "../../html.js";
import { byDays } from "../../models/room/words.js";
import { tr } from "../../texts.js";
import { GameNote } from "../common/note.js";
import { Overlays } from "../common/overlays.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function Tools({ room }) {
  room.version.value;
  const { may, model } = room;
  const game = `${room.id}-${model.mirror.match}`;
  return html`
    <section class="room-tools" aria-label=${tr("Tools")}>
      ${(may.featuresHere || may.heat) &&
      html`<div class=${`room-overlay-switch ${may.overlay || may.heat ? "" : "away"}`}>
          <${Overlays} app=${room.app} features=${may.overlay} policy=${may.heat} />
        </div>`}
      <${CommandField} room=${room} />
      ${!model.seats.watching &&
      html`<${GameNote} key=${game} app=${room.app} game=${game} open=${model.playing && byDays(model.mirror.settings.time)} />`}
    </section>
  `;
}

/** @param {{room: RoomController}} props */
function CommandField({ room }) {
  const [answer, setAnswer] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const commands = useRef(/** @type {Promise<import("./commands.js").Commands> | null} */ (null));
  const run = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const input = field.current;
    if (input === null || !input.value.trim()) return;
    const line = input.value;
    input.value = "";
    commands.current ??= import("./commands.js").then(({ Commands }) => new Commands(room));
    const text = await commands.current.then(
      (known) => known.answer(line),
      () => {
        commands.current = null;
        input.value = line;
        return tr("This could not be loaded. Try again when the server can be reached.");
      },
    );
    setAnswer(text);
    if (text) room.app.say(text);
  };
  return html`
    <form class="room-commands" onSubmit=${run}>
      <input ref=${field} class="input" type="text" aria-label=${tr("Move or command")} name="command"
        placeholder=${tr("Type a move, or help")} autocomplete="off" autocapitalize="off"
        spellcheck=${false} enterkeyhint="send" maxlength="60" />
      <p class="room-commands-answer">${answer}</p>
    </form>
  `;
}
