// The ratings of the players on a wall, by game and size. One answer has those of a whole game, so ten boards cost one request.

import { getJson } from "../../net/api.js";

/** @typedef {Pick<import("../../types/wire.js").LobbyRoom, "settings" | "players">} Room */
/** @typedef {import("../../types/api.js").RatingAnswer} RatingAnswer */
/** @typedef {import("../../types/api.js").Ratings} Answer */

/** How long an answer counts, in seconds: the games of this wall hardly change it. */
const KEEP_S = 300;
/** Of how many games and sizes the ratings are asked for before any board is there. */
const POOLS = 6;

export class Ratings {
  /** Called when ratings have come. */
  onNews = () => {};
  /** @type {Map<string, {at: number, of: Map<string, RatingAnswer>, loading: Promise<void>}>} */
  #pools = new Map();

  /**
   * Return the ratings of both seats at `now` in seconds; null: not known, or none.
   *
   * @param {Room} room
   * @param {number} now
   */
  of(room, now) {
    void this.#load(room.settings, now);
    return this.known(room);
  }

  /**
   * Return the ratings of both seats that are here already.
   *
   * @param {Room} room
   */
  known({ settings, players }) {
    const pool = this.#pools.get(poolOf(settings));
    return players.map((player) => (player && pool?.of.get(player.name)) ?? null);
  }

  /**
   * Wait for the ratings of the games and sizes that are played in most of these rooms.
   *
   * @param {readonly Room[]} rooms
   * @param {number} now
   */
  async prepare(rooms, now) {
    /** @type {Map<string, Room[]>} */
    const pools = new Map();
    for (const room of rooms) pools.set(poolOf(room.settings), [...(pools.get(poolOf(room.settings)) ?? []), room]);
    const first = [...pools.values()].sort((one, other) => other.length - one.length).slice(0, POOLS);
    await Promise.all(first.map(([room]) => room && this.#load(room.settings, now)));
  }

  /**
   * @param {Room["settings"]} settings
   * @param {number} now
   */
  #load(settings, now) {
    const key = poolOf(settings);
    let pool = this.#pools.get(key);
    if (pool === undefined || now > pool.at + KEEP_S) {
      pool = { at: now, of: pool?.of ?? new Map(), loading: Promise.resolve() };
      this.#pools.set(key, pool);
      pool.loading = this.#ask(pool, settings);
    }
    return pool.loading;
  }

  /**
   * @param {{of: Map<string, RatingAnswer>}} pool
   * @param {Room["settings"]} settings
   */
  async #ask(pool, { game, params }) {
    const size = sizeOf(params);
    try {
      const { ratings } = /** @type {Answer} */ (await getJson("/api/ratings", { game, size, limit: 500 }));
      pool.of = new Map((ratings ?? []).map((each) => [each.player, each]));
      this.onNews();
    } catch {
      // Everything works without ratings; they are asked for again later.
    }
  }
}

/** @param {Record<string, number>} [params] */
function sizeOf(params = {}) {
  return Object.values(params).join("x");
}

/** @param {Room["settings"]} settings */
function poolOf({ game, params }) {
  return `${game} ${sizeOf(params)}`;
}
