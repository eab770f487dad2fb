// Show one seat beside the board: player, score, clock and whether it is to move.

import { html } from "../../html.js";
import { makePanel } from "../../models/room/seats.js";
import { signed } from "../../models/room/words.js";
import { Clock, useNow } from "../../widgets/clock.js";
import { LOW_MS } from "../../models/room/clock.js";
import { tr } from "../../texts.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** How often a clock is drawn, in milliseconds: for tenths of a second, and for seconds. */
const TENTHS_MS = 50;
const SECONDS_MS = 200;

/** @param {{room: RoomController, seat: number}} props */
export function SeatCard({ room, seat }) {
  room.version.value;
  const panel = makePanel(room.model, seat);
  const { unit } = room.model.geometry;
  const said = room.phrases.line(seat, room.app.now());
  useNow(room.app, said ? 500 : 0);
  const about = [];
  if (panel.you) about.push(tr("you"));
  if (panel.note && panel.note !== "free") about.push(panel.note);
  // What comes last is cut off where space is short; the line below the board says who thinks.
  if (panel.expected !== null && unit) about.push(tr("expects {points}", { points: signed(panel.expected) }));
  if (panel.thinking) about.push(tr("thinking"));
  if (panel.engine) about.push(panel.engine);
  const names = ["room-seat", `seat${seat}`];
  if (!about.length && !said) names.push("plain");
  if (panel.toMove) names.push("to-move");
  if ([tr("away"), tr("has left")].includes(panel.note)) names.push("away");
  return html`
    <article class=${names.join(" ")} aria-label=${panel.name || tr("Free seat")}>
      <span class="room-seat-mark" aria-hidden="true" translate=${false}>${room.text.initials[seat]}</span>
      <span class="room-seat-name" translate=${false}>
        ${panel.name
          ? html`<a href=${`/player/${encodeURIComponent(panel.name)}`}>${panel.name}</a>`
          : tr("Nobody yet")}
      </span>
      <span key=${said || about.join()} class=${said ? "room-seat-about said" : "room-seat-about"}>${said || about.join(" · ")}</span>
      ${panel.toMove ? html`<span class="visually-hidden">${tr("to move")}</span>` : null}
      <span class="room-seat-score" translate=${false}>
        ${panel.score === null || !unit
          ? null
          : html`<span aria-hidden="true">${panel.score}</span>
              <span class="visually-hidden">${panel.points}</span>`}
      </span>
      <${SeatClock} room=${room} seat=${seat} />
    </article>
  `;
}

/** @param {{room: RoomController, seat: number}} props */
function SeatClock({ room, seat }) {
  room.version.value;
  const first = room.model.clock(seat, room.app.now());
  const runs = first !== null && first.runs;
  const now = useNow(room.app, runs ? (first.ms < LOW_MS ? TENTHS_MS : SECONDS_MS) : 0);
  const left = room.model.clock(seat, now);
  const cue = runs ? room.cues.at(now) : null;
  if (cue !== null) room.app.sounds.play(cue);
  const label = tr("Time of {name}", { name: room.model.name(seat) });
  return html`<span class="room-seat-clock" translate=${false}>
    <${Clock} ms=${left?.ms ?? null} runs=${runs} label=${label} />
  </span>`;
}
