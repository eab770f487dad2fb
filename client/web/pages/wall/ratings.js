// The ratings of the players on a wall, by game and size. One answer has those of a whole game, so ten boards cost one request.

import { getJson } from "../../net/api.js";

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").RatingAnswer} RatingAnswer */
/** @typedef {import("../../types/api.js").Ratings} Answer */

/** How long an answer counts, in seconds: the games of this wall hardly change it. */
const KEEP_S = 300;

export class Ratings {
  #onNews;
  /** @type {Map<string, {at: number, of: Map<string, RatingAnswer>}>} */
  #pools = new Map();

  /** @param {() => void} onNews called when ratings have come */
  constructor(onNews) {
    this.#onNews = onNews;
  }

  /**
   * Return the ratings of both seats at `now` in seconds; null: not known, or none.
   *
   * @param {RoomMirror} mirror
   * @param {number} now
   */
  of({ settings, players }, now) {
    const size = Object.values(settings.params).join("x");
    const key = `${settings.game} ${size}`;
    let pool = this.#pools.get(key);
    if (pool === undefined || now > pool.at + KEEP_S) {
      pool = { at: now, of: pool?.of ?? new Map() };
      this.#pools.set(key, pool);
      void this.#load(pool, settings.game, size);
    }
    return players.map((player) => (player && pool.of.get(player.name)) ?? null);
  }

  /**
   * @param {{of: Map<string, RatingAnswer>}} pool
   * @param {string} game
   * @param {string} size
   */
  async #load(pool, game, size) {
    try {
      const { ratings } = /** @type {Answer} */ (await getJson("/api/ratings", { game, size, limit: 500 }));
      pool.of = new Map((ratings ?? []).map((each) => [each.player, each]));
      this.#onNews();
    } catch {
      // Nobody waits for ratings; they are asked for again later.
    }
  }
}
