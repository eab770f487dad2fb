// Keep the list of the player's games in play up to date, without asking for it again and again.

import { byDays } from "../models/room/words.js";

/** @import { Update } from "../core/updates.js" */

/** The events after which the list is another one. */
const CHANGES = ["move", "takeback", "match_started", "match_finished"];

/**
 * Begin: ask after each connection, after moves in games by days, and as matches begin and end.
 * @param {import("./app.js").App} app
 */
export function followOpenGames(app) {
  /** @type {import("../types/wire").Welcome | null} */
  let welcome = null;
  app.listen((updates) => {
    const joined = app.connected.peek() && app.session.welcome !== welcome;
    if (joined) welcome = app.session.welcome;
    if (joined || updates.some((update) => changesGames(app, update))) askOpenGames(app);
  });
}

/**
 * Ask for the list; an answer is an update, and the next connection asks again after a failure.
 * @param {import("./app.js").App} app
 */
export function askOpenGames(app) {
  app.request({ type: "get_open_games" }).catch(() => {});
}

/**
 * @param {import("./app.js").App} app
 * @param {Update} update
 */
function changesGames(app, update) {
  if (update.kind === "yourTurn") return true;
  const room = update.kind === "room" ? app.session.rooms.get(update.room) : undefined;
  if (update.kind !== "room" || room === undefined || room.seat === null) return false;
  const { event } = update;
  if (event !== null && !CHANGES.includes(event.type)) return false;
  // Live games change with each move, and only their page shows all of them.
  return byDays(room.settings.time) || event?.type.startsWith("match_") || app.route.peek().name === "me";
}
