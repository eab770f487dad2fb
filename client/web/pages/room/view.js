// The parts of a room on the page: the opponent above the board, the person below it, and the rest beside it.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { roomClock } from "../../models/room/clock.js";
import { tr } from "../../texts.js";
import { roomKey, roomKeys } from "./keys.js";
import { Moves } from "./moves.js";
import { Panel } from "./panel.js";
import { ScoreBar } from "./score-bar.js";
import { SeatCard } from "./seat-card.js";
import { Status } from "./status.js";
import { Tools } from "./tools.js";
import { ClosedView, WaitingView } from "./waiting.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function RoomView({ room }) {
  room.version.value;
  const title = room.text.tabTitle;
  useEffect(() => room.app.setTitle(title), [title]);
  const { status, match } = room.model.mirror;
  if (status === "waiting") return html`<${WaitingView} room=${room} />`;
  if (status === "closed" && match === 0) return html`<${ClosedView} room=${room} />`;
  return html`<${MatchView} room=${room} />`;
}

/** @param {{room: RoomController}} props */
function MatchView({ room }) {
  room.version.value;
  const { playing } = room.model;
  // Before each rematch the players swap seats, and a person stays where the person was.
  const swaps = room.model.mirror.match % 2 === 0;
  const swapped = room.app.settings.keepColours.value && swaps;
  const timed = [0, 1].some((seat) => roomClock(room.model.mirror, seat, room.app.now()) !== null);
  // The person sits below the board; two people at one screen, and those that are watched, keep their places.
  const below = room.model.seats.only ?? (swaps ? 0 : 1);
  const page = useRef(/** @type {HTMLElement | null} */ (null));
  // Before the first paint, so that no key is lost.
  useLayoutEffect(() => {
    const element = page.current;
    if (element === null) return undefined;
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (!roomKey(room, event, element)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the board, which has a use of its own for some of these keys.
    document.addEventListener("keydown", pressed, true);
    return () => {
      document.removeEventListener("keydown", pressed, true);
      room.app.shortcuts.value = [];
    };
  }, [room]);
  const keys = roomKeys(room);
  useLayoutEffect(() => {
    room.app.shortcuts.value = keys;
  }, [room, keys.map((each) => each.keys).join()]);
  useEffect(() => {
    if (page.current !== null) keepFocus(page.current, playing);
  }, [room, playing, room.asking]);
  return html`
    <div
      class=${["room", room.may.featuresHere && "with-legend", swapped && "swapped", !timed && "no-clock"].filter(Boolean).join(" ")}
      style=${{ "--ratio": String(ratioOf(room.model.geometry)) }}
      ref=${page}
    >
      <div class="room-main">
        <${SeatCard} key=${1 - below} room=${room} seat=${1 - below} />
        <${BoardArea} room=${room} />
        <${ScoreBar} room=${room} left=${below} />
        <${SeatCard} key=${below} room=${room} seat=${below} />
        <${Status} room=${room} />
      </div>
      <div class="room-side">
        <${Head} room=${room} />
        <${Panel} room=${room} />
        <${Moves} room=${room} />
        <${Tools} room=${room} />
      </div>
    </div>
  `;
}

/**
 * Move the focus to the board, so that its keys work at once, or to what can be done after a match,
 * unless a control has the focus. The control that had it may be gone.
 *
 * @param {HTMLElement} page
 * @param {boolean} playing
 */
function keepFocus(page, playing) {
  const focus = document.activeElement;
  const place = page.querySelector(playing ? ".board-face[tabindex]" : ".room-panel");
  const outside = focus === null || focus === document.body || focus.id === "main";
  const free = outside || focus.classList.contains("room-panel");
  if (free && place instanceof HTMLElement) place.focus({ preventScroll: true });
}

/** @param {{room: RoomController}} props */
function Head({ room }) {
  room.version.value;
  const { text, model } = room;
  const tag = model.mirror.tag;
  return html`
    <header class="room-head">
      <h1 class="room-title">${text.title}</h1>
      <p class="room-about">
        ${tag === null
          ? null
          : html`<a href=${`/tournament/${tag.tournament}`}>
                ${room.tournament || tr("tournament")}</a>${" · "}`}
        ${text.about.join(" · ")}
      </p>
    </header>
  `;
}

/** @param {{room: RoomController}} props */
function BoardArea({ room }) {
  room.version.value;
  const { model, text, may, hint, premove, app } = room;
  premove.on = app.settings.premoves.value;
  const { geometry, seats, viewing } = model;
  const shown = model.shown;
  const earlier = viewing !== null;
  const initials = text.initials;
  const looks = [0, 1].map((seat) => ({ name: model.name(seat), initial: initials[seat] }));
  const { overlay, heat } = app.settings;
  const features = may.overlay && overlay.value ? (room.lookups.fact("features")?.features ?? null) : null;
  const hot = may.heat && heat.value && shown.toMove !== null;
  const names = ["room-board"];
  if (room.offline) names.push("offline");
  return html`
    <div class=${names.join(" ")}>
      <${Board}
        geometry=${geometry}
        position=${shown}
        seats=${looks}
        seat=${seats.only}
        mode=${seats.watching ? "watch" : "play"}
        pending=${earlier ? null : model.pending.action}
        hint=${earlier ? null : hint.best}
        early=${premove.possible}
        premove=${earlier ? null : premove.action}
        features=${features}
        heat=${hot ? room.lookups.fact("policy") : undefined}
        rim=${app.settings.rim.value}
        confirmTaps=${app.settings.confirmTaps.value}
        onPlay=${(/** @type {number} */ action) => room.play(action)}
        label=${tr("Board of {title}", { title: text.title })}
        say=${(/** @type {string} */ words) => app.say(words)}
      />
    </div>
  `;
}
