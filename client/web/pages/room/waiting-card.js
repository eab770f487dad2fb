// The cards of a room that waits for a second player: for its owner, and for a guest.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { timeLine } from "../../models/room/words.js";
import { Share } from "../../widgets/share.js";
import { refusal } from "./requests.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function WaitingCard({ room }) {
  room.version.value;
  const { mirror } = room.model;
  const secret = mirror.code ? `#${encodeURIComponent(mirror.code)}` : "";
  const link = `${location.origin}/room/${mirror.room}${secret}`;
  return html`
    <section class="room-card waiting-card" aria-label="Invitation">
      <h2 class="room-card-title">Waiting for an opponent</h2>
      <p class="room-card-text">
        ${
          mirror.private
            ? "Only people with this link can join."
            : "Anybody in the lobby can join, or send this link to somebody."
        }
      </p>
      <${Share} app=${room.app} url=${link} title=${`Play ${room.text.title}`} />
      <div class="room-actions">
        <button type="button" class="button" onClick=${() => room.leave()}>Close the room</button>
      </div>
    </section>
  `;
}

/** @param {{room: RoomController}} props */
export function InviteCard({ room }) {
  room.version.value;
  const { mirror } = room.model;
  const [watches, setWatches] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const host = mirror.players.find((player) => player != null)?.name ?? "Somebody";
  const me = room.app.me.value;
  const free = mirror.players[0] == null ? 0 : 1;
  const join = async () => {
    setBusy(true);
    setProblem("");
    try {
      const code = mirror.code;
      await room.app.request({ type: "join_room", room: room.id, code });
    } catch (error) {
      setProblem(refusal(error).sentence);
      setBusy(false);
    }
  };
  if (watches) {
    return html`
      <section class="room-card" aria-label="Invitation">
        <p class="room-card-text">You watch this room until the match begins.</p>
        <div class="room-actions">
          <button type="button" class="button" onClick=${() => setWatches(false)}>
            Join instead
          </button>
          <button type="button" class="button" onClick=${() => room.leave()}>Leave</button>
        </div>
      </section>
    `;
  }
  return html`
    <section class="room-card invite" aria-label="Invitation">
      <h2 class="room-card-title">${host} waits for an opponent</h2>
      <p class="room-card-text">
        ${room.text.title} · ${timeLine(mirror.settings.time)} ·
        ${mirror.settings.rated ? " rated" : " casual"} · you ${free === 0 ? "begin" : "are second"}
      </p>
      <div class="room-actions">
        <button type="button" class="button primary wide" data-main disabled=${busy}
          onClick=${join}>${busy ? "Joining ..." : `Join as ${me}`}</button>
        <button type="button" class="button" disabled=${busy} onClick=${() => setWatches(true)}>
          Watch
        </button>
        <button type="button" class="button" onClick=${() => room.leave()}>No, thanks</button>
      </div>
      <p class="room-card-note error" role="alert">${problem}</p>
    </section>
  `;
}
