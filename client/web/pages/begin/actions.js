// Send the requests of the lobby; an answer with a room leads to that room.

import { askName } from "../../app/naming.js";
import { roomPath } from "../../models/addresses.js";
import { byDays } from "../../models/room/words.js";

/**
 * @import { App } from "../../app/app.js"
 * @import { MatchSettings } from "../../types/wire"
 * @import { OwnLine } from "../../models/lobby/model.js"
 */

/**
 * Accept the oldest offer with these settings, or post one; by days, open a public room.
 * @param {App} app
 * @param {MatchSettings} settings
 */
export function quickMatch(app, settings) {
  // An offer ends with its player's connection or the server; a public room waits for days.
  if (byDays(settings.time)) return createRoom(app, settings, null, false);
  return enter(app, app.request({ type: "quick_match", key: app.key(), settings }));
}

/**
 * Challenge a player; the answer is `challenge_sent` or the room.
 * @param {App} app
 * @param {string} player
 * @param {MatchSettings} settings
 * @param {number | null} seat
 */
export function challenge(app, player, settings, seat) {
  return enter(app, app.request({ type: "challenge", key: app.key(), player, settings, seat }));
}

/**
 * Let two bots play each other; return the room, once both have accepted.
 * @param {App} app
 * @param {[string, string]} players - the first and the second bot
 * @param {MatchSettings} settings
 */
export async function arrangeMatch(app, players, settings) {
  const request = { type: "arrange_match", key: app.key(), players, settings };
  const answer = await app.request(/** @type {any} */ (request));
  return /** @type {import("../../core/messages.js").RoomState} */ (answer);
}

/**
 * Stop watching a room.
 * @param {App} app
 * @param {string} room
 */
export function leaveRoom(app, room) {
  return app.request({ type: "leave", room });
}

/**
 * Open a room and go there.
 * @param {App} app
 * @param {MatchSettings} settings
 * @param {number | null} seat
 * @param {boolean} closed - private: not listed, and needs a code
 */
export async function createRoom(app, settings, seat, closed) {
  if (!(await askName(app))) return null;
  const request = { type: "create_room", key: app.key(), settings, seat, private: closed };
  return enter(app, app.request(/** @type {any} */ (request)));
}

/**
 * Accept the offer of another player.
 * @param {App} app
 * @param {string} seek
 */
export function acceptSeek(app, seek) {
  return enter(app, app.request({ type: "accept_seek", key: app.key(), seek }));
}

/**
 * Take the free seat of a room, or watch it.
 * @param {App} app
 * @param {string} room
 * @param {string} code
 * @param {boolean} watch
 */
export function enterRoom(app, room, code, watch) {
  const request = { type: watch ? "watch" : "join_room", room, code: code || null };
  return enter(app, app.request(/** @type {any} */ (request)));
}

/**
 * Cancel an offer, or close a room that waits for an opponent.
 * @param {App} app
 * @param {OwnLine} line
 */
export function cancel(app, { kind, key }) {
  if (kind === "waiting") return leaveRoom(app, key);
  if (kind === "seek") return app.request({ type: "cancel_seek", seek: key });
  return app.request({ type: "cancel_challenge", challenge: key });
}

/**
 * @param {App} app
 * @param {Promise<any>} asked
 */
async function enter(app, asked) {
  const answer = await asked;
  if (answer.type === "room_state") app.navigate(roomPath(answer.room, answer.code));
  return answer;
}
