// Choose the live game that most people would like to see.

import { ratingKey } from "../../core/lobby.js";
import { USUAL } from "../rating.js";

/**
 * @import { LobbyRoom } from "../../types/wire"
 * @typedef {{scores: readonly number[], spectators: number}} Seen what is known of a game that is followed
 */

/**
 * Return the game in play with the highest sum of ratings; of equal ones that with the closest score, then
 * that with the most spectators, then the newest. Return null without a game.
 *
 * `ratings` are keyed by `ratingKey`. A game that nobody here follows has no score: it comes after one
 * that is as close as can be, and before all others.
 * @template {LobbyRoom} R
 * @param {Iterable<R>} rooms the oldest first
 * @param {ReadonlyMap<string, {rating: number}>} ratings
 * @param {(room: string) => Seen | undefined} [seen]
 * @returns {R | null}
 */
export function bestLive(rooms, ratings, seen = () => undefined) {
  const rank = (/** @type {R} */ room) => {
    const { game, params = {} } = room.settings;
    const size = Object.values(params).join("x");
    const rated = (/** @type {string} */ name) => ratings.get(ratingKey(name, game, size))?.rating ?? USUAL;
    const known = seen(room.room);
    const [first = 0, second = 0] = known?.scores ?? [];
    const sum = room.players.reduce((total, player) => total + (player ? rated(player.name) : 0), 0);
    return [sum, known ? -Math.abs(first - second) : -0.5, known?.spectators ?? 0];
  };
  const live = [...rooms].reverse().filter(({ status, players }) => status === "playing" && !players.includes(null));
  const ranked = live.map((room) => ({ room, rank: rank(room) }));
  ranked.sort((a, b) => {
    const at = a.rank.findIndex((value, index) => value !== b.rank[index]);
    return at < 0 ? 0 : (b.rank[at] ?? 0) - (a.rank[at] ?? 0);
  });
  return ranked[0]?.room ?? null;
}
