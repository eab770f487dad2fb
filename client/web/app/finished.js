// Leave the rooms of finished matches and of games by days that the person has turned away from.
//
// A room that nobody leaves is followed for ever, and a bot waits there for a rematch. A person may
// still offer one, so the latest room of a person who is there is kept until another match begins.
// A game by days goes on without anybody in its room, and the server tells whose turn it is.

import { byDays } from "../models/room/words.js";
import { shownRoom } from "./arrivals.js";
import { dropSecond } from "./hot-seat.js";

/**
 * @import { RoomMirror } from "../core/room.js"
 * @typedef {import("./app.js").App} App
 */

/**
 * Begin.
 * @param {App} app
 */
export function leaveFinished(app) {
  /** @type {Set<string>} */
  const leaving = new Set();
  const look = () => {
    if (!app.connected.peek()) return;
    for (const { room, status } of deserted(app)) {
      if (leaving.has(room)) continue;
      leaving.add(room);
      // The room may be gone already, and nobody waits for this answer.
      const left = app.link.request({ type: "leave", room }).catch(() => {});
      void left.finally(() => leaving.delete(room));
      if (status === "finished") void dropSecond(app, room);
    }
  };
  app.route.subscribe(look);
  app.listen((updates) => {
    const news = updates.some(({ kind }) => kind === "presence" || kind === "room");
    if (news) look();
  });
}

/**
 * Return the rooms to leave.
 * @param {App} app
 */
function deserted(app) {
  const mine = [...app.session.rooms.values()].filter((room) => room.seat !== null);
  const { name, params } = app.route.peek();
  const over = mine.filter(
    (room) =>
      room.status === "finished" &&
      room.room !== shownRoom(app) &&
      // The review is a part of the visit: the way back leads to the room.
      !(name === "game" && params["id"] === room.result?.game_id),
  );
  const slow = mine.filter(
    ({ settings, status, room }) => status === "playing" && byDays(settings.time) && room !== shownRoom(app),
  );
  const busy = mine.some(({ status }) => status === "playing" || status === "waiting");
  const kept = busy ? undefined : over.findLast(expectsRematch);
  return [...slow, ...over.filter((room) => room !== kept && !room.rematch.includes(true))];
}

/** @param {RoomMirror} room */
function expectsRematch({ seat, tag, players, presence }) {
  const other = seat === 0 ? 1 : 0;
  return tag === null && players[other]?.kind === "human" && presence.seats[other].connected;
}
