// Two people at this screen: their code is loaded only for them.

import { roomPath } from "../models/addresses.js";

/**
 * @param {import("./app.js").App} app
 * @param {import("../types/wire").MatchSettings} settings
 * @param {number | null} seat - of this player; null: by chance
 * @param {string} secondName
 */
export async function playHotSeat(app, settings, seat, secondName) {
  const { startHotSeat } = await import("../models/room/hot-seat.js");
  const room = await startHotSeat(app, { settings, seat, secondName });
  app.navigate(roomPath(room));
}

/**
 * Return the link of the second person at this screen in a room, or null.
 * @param {import("./app.js").App} app
 * @param {string} room
 */
export async function secondIn(app, room) {
  return isHere(app, room) ? (await import("../models/room/hot-seat.js")).guestIn(app, room) : null;
}

/**
 * Let the second person at this screen, if there is one, leave a room.
 * @param {import("./app.js").App} app
 * @param {string} room
 */
export async function dropSecond(app, room) {
  if (!isHere(app, room)) return;
  const { dropGuest } = await import("../models/room/hot-seat.js");
  await dropGuest(app, room);
}

/**
 * @param {import("./app.js").App} app
 * @param {string} room
 */
function isHere(app, room) {
  const rooms = app.storage.get("hotSeats");
  return typeof rooms === "object" && rooms !== null && room in rooms;
}
