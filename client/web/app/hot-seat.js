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
