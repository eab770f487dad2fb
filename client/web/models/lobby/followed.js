// What the players do whom one follows.

import { tr } from "../../texts.js";

/** @import { Followed, PlayerInfo } from "../../types/wire" */
/** @typedef {{player: PlayerInfo, doing: string, room: string}} FollowedRow `room` can be watched */

/**
 * Return those who are here. The lobby says who plays; `follows` knows who watched when it was asked
 * for, and who is here of those whom a long lobby leaves out.
 * @param {readonly Followed[]} follows
 * @param {import("../../core/lobby.js").LobbyMirror} lobby
 * @returns {FollowedRow[]}
 */
export function followedRows(follows, { players, rooms, cut }) {
  const played = new Map();
  for (const { room, status, players: seated } of rooms.values()) {
    for (const each of seated) if (each && status === "playing") played.set(each.name, room);
  }
  return follows
    .filter(({ player, here }) => players.has(player) || (here && cut))
    .map(({ player, kind, watching }) => {
      const room = played.get(player);
      const watched = watching !== null && rooms.get(watching)?.status === "playing" ? watching : "";
      const doing = room ? tr("playing") : watched ? tr("watching") : tr("here");
      return { player: players.get(player) ?? { name: player, kind }, doing, room: room ?? watched };
    });
}
