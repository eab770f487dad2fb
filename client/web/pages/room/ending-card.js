// Say how a match ended, and what to do next.

import { html } from "../../html.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function EndingCard({ room }) {
  room.version.value;
  const { model, may } = room;
  const { mirror, ending, seats } = model;
  const here = mirror.status === "finished";
  const title = ending === null ? "The room is closed" : ending.headline;
  const tone = ending === null || ending.winner === null ? "" : `of-seat-${ending.winner}`;
  const gone = here && may.rematchesHere && !may.opponentHere;
  return html`
    <section class="room-card ending" aria-label="Result">
      <h2 class=${`room-card-title ${tone}`}>${title}</h2>
      <p class="room-card-text">
        ${
          ending === null
            ? mirror.sentence
            : html`<strong>${ending.score}</strong> · ${ending.why}`
        }
      </p>
      <div class="room-actions">
        ${
          mirror.tag !== null
            ? html`<a class="button primary wide" href=${`/tournament/${mirror.tag.tournament}`}
                data-main>Tournament</a>`
            : null
        }
        ${seats.watching || mirror.tag !== null ? null : html`<${Rematch} room=${room} />`}
        ${
          ending === null
            ? null
            : html`<a class="button" href=${gameAddress(mirror, ending.gameId)}>Review</a>`
        }
        <button type="button" class="button" onClick=${() => room.leave()}>Lobby</button>
      </div>
      <p class="room-card-note">${gone ? "Your opponent has left." : note(room)}</p>
    </section>
  `;
}

/** @param {{room: RoomController}} props */
function Rematch({ room }) {
  room.version.value;
  const { may, requests, model } = room;
  const offered = model.mirror.status === "finished" && may.rematchConnections.length === 0;
  const enabled = may.rematch && may.opponentHere && !requests.waiting.has("rematch");
  const accepts = may.rematchOffered && may.opponentHere;
  const text = offered ? "Rematch offered" : accepts ? "Accept rematch" : "Rematch";
  return html`
    <button type="button" class=${`button ${enabled ? "primary" : ""}`} disabled=${!enabled}
      data-main=${enabled ? true : undefined} onClick=${() => requests.rematch()}>${text}</button>
    <button type="button" class="button" onClick=${() => playAgain(room)}>Play again ...</button>
  `;
}

/**
 * Leave the room and offer another match with the same settings and opponent in the lobby.
 *
 * @param {RoomController} room
 */
function playAgain(room) {
  const { model } = room;
  const { game, params, time } = model.mirror.settings;
  const again = new URLSearchParams({ again: JSON.stringify({ game, params, time }) });
  const opponent = model.seats.opponent;
  if (opponent !== null && !model.seats.shared) again.set("against", model.name(opponent));
  room.leaveRoom();
  room.app.navigate(`/?${again}`);
}

/** @param {RoomController} room */
function note(room) {
  return room.model.mirror.tag === null ? "" : "If you have another game, it opens automatically.";
}

/**
 * Return the address of a finished game. The code of a private room follows `#`, so that it is
 * never sent to a server as part of an address.
 *
 * @param {import("../../core/room.js").RoomMirror} mirror
 * @param {string} gameId
 */
function gameAddress(mirror, gameId) {
  return `/game/${gameId}${mirror.code ? `#${encodeURIComponent(mirror.code)}` : ""}`;
}
