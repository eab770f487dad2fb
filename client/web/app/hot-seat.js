// Begin a match between two people at this screen; its code is loaded only then.

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
 * Let the second person at this screen, if there is one, leave a room.
 * @param {import("./app.js").App} app
 * @param {string} room
 */
export async function dropSecond(app, room) {
  const rooms = app.storage.get("hotSeats");
  if (typeof rooms !== "object" || rooms === null || !(room in rooms)) return;
  const { dropGuest } = await import("../models/room/hot-seat.js");
  await dropGuest(app, room);
}
