// Send the moves that an earlier visit could not send, also while their rooms are not on the screen.

import { RequestRefused } from "../core/errors.js";
import { UnsentMoves } from "../models/room/unsent.js";
import { tr } from "../texts.js";
import { shownRoom } from "./arrivals.js";
import { opponentName } from "./elsewhere.js";

/** @typedef {import("./app.js").App} App */

/**
 * Begin. The page of a room sends the move of its own room, because it also shows it.
 * @param {App} app
 */
export function sendUnsent(app) {
  const unsent = new UnsentMoves(app.storage);
  app.listen((updates) => {
    for (const update of updates) {
      const whole = update.kind === "room" && update.event === null;
      if (whole && update.room !== shownRoom(app)) void send(app, unsent, update.room);
    }
  });
}

/**
 * @param {App} app
 * @param {UnsentMoves} unsent
 * @param {string} room
 */
async function send(app, unsent, room) {
  const mirror = app.session.rooms.get(room);
  if (mirror === undefined || !mirror.myTurn) return;
  const action = unsent.action(mirror);
  if (action === null) return;
  const { match, moves, takebacks } = mirror;
  try {
    const ply = moves.length;
    await app.link.request({ type: "move", room, match, ply, takebacks, action });
    // All tabs send it, and the server plays it once.
    if (app.voice.peek()) app.notify(tr("Your move against {name} was sent.", { name: opponentName(mirror) }), { key: `sent ${room}` });
  } catch (error) {
    // Without an answer the move stays for the next connection or visit.
    if (!(error instanceof RequestRefused)) return;
  }
  unsent.forget(room);
}
