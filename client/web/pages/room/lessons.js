// What a match taught: the new rating, the results against a level, and the move that decided it on a small board.

import { adviceFor, rungOf } from "../../app/ladder.js";
import { withStyle } from "../../app/style.js";
import { html } from "../../html.js";
import { later } from "../../widgets/later.js";
import { Rating } from "./rating.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

const GameMoment = later(() =>
  withStyle("values", async () => (await import("../../study/moment.js")).GameMoment),
);

/** @param {{room: RoomController}} props */
export function Lessons({ room }) {
  room.version.value;
  const { lesson, mirror } = room.model;
  const rung = lesson && rungOf(mirror);
  const advice = rung && adviceFor(room.app.storage, rung.game, rung.size, rung.level);
  return html`<${Rating} room=${room} />
    ${advice && html`<p class="room-lesson">${advice}</p>`}
    ${lesson && room.app.session.welcome?.reviews && html`<div class="room-moment"><${GameMoment} key=${lesson.game} room=${room} ...${lesson} /></div>`}`;
}
