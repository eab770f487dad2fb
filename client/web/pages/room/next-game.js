// The way to the next game by days that waits for this player.

import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { byDays } from "../../models/room/words.js";
import { plural } from "../../texts.js";

/** @param {{room: import("./controller.js").RoomController}} props */
export function NextGame({ room }) {
  room.version.value;
  const { mirror, myTurn } = room.model;
  const others = room.app.waiting.filter((game) => game.room !== room.id);
  const [next] = others;
  if (next === undefined || myTurn || !byDays(mirror.settings.time)) return null;
  return html`<a class="button primary next-game" href=${roomPath(next.room)}>
    ${plural("Next game (1 waits for you)", "Next game ({n} wait for you)", others.length)}
  </a>`;
}
