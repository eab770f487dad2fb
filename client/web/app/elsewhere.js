// Find the matches of this player that the shown page does not show, and describe them.

import { byDays } from "../models/room/words.js";
import { tr } from "../texts.js";

/**
 * @import { RoomMirror } from "../core/room.js"
 */

/**
 * Return the live matches that this player plays, except in the room `besides`. Those in which the player
 * is to move come first, and of these the one with the least time.
 * @param {Iterable<RoomMirror>} rooms
 * @param {string | null} besides
 * @returns {RoomMirror[]}
 */
export function runningGames(rooms, besides = null) {
  const left = (/** @type {RoomMirror} */ room) => room.clock.ms?.[room.seat === 1 ? 1 : 0] ?? Infinity;
  return [...rooms]
    .filter((room) => room.seat !== null && room.status === "playing" && room.room !== besides && !byDays(room.settings.time))
    .sort((a, b) => {
      const turns = Number(b.toMove === b.seat) - Number(a.toMove === a.seat);
      return turns || Math.sign(left(a) - left(b)) || 0;
    });
}

/**
 * Return the name of this player's opponent.
 * @param {RoomMirror} room
 */
export function opponentName(room) {
  const other = room.seat === null ? null : room.players[room.seat === 0 ? 1 : 0];
  return other?.name ?? tr("your opponent");
}

/**
 * Return how a match of this player ended, in one sentence; empty while it has no result.
 * @param {RoomMirror} room
 */
export function endedLine(room) {
  const { result, seat } = room;
  if (result === null || seat === null) return "";
  const { termination, winner } = result;
  const values = {
    name: opponentName(room),
    mine: room.scores[seat === 0 ? 0 : 1],
    theirs: room.scores[seat === 0 ? 1 : 0],
  };
  if (termination === "aborted") return tr("Your match against {name} is over: it was called off, {mine} : {theirs}.", values);
  if (termination === "void") {
    return tr("Your match against {name} is over: the server could not keep it, {mine} : {theirs}.", values);
  }
  if (winner === null) return tr("Your match against {name} is over: a draw, {mine} : {theirs}.", values);
  return winner === seat
    ? tr("Your match against {name} is over: you won, {mine} : {theirs}.", values)
    : tr("Your match against {name} is over: you lost, {mine} : {theirs}.", values);
}
