// Choose which rooms a wall of live boards shows, in which order, and how large.
//
// Boards keep their places: a new room takes exactly the place of one that is over or decided, and the wall is sorted anew only
// now and then.

import { roomClock } from "./room/clock.js";
import { byDays } from "./room/words.js";

/** @typedef {import("../core/room.js").RoomMirror} RoomMirror */

/** The most boards at once. */
export const MOST = 12;
/** How long a finished game stays before another takes its place, in seconds. */
export const LINGER_S = 6;
/** The least time between two changes of boards in play, in seconds, and by how much a board must be more exciting to move. */
export const SORT_S = 20;
const ENOUGH = 0.15;
/** How long a television waits for its boards, in seconds. */
const WAIT_S = 3;

/** The least share of their size that boards keep when the first one is larger. */
const LARGE = 0.65;

/** The rating of a strong player, and of one who has just begun. */
const STRONG = 2000;
const WEAK = 1000;
/** With less time than this the clock is worth watching, in milliseconds. */
const LITTLE_MS = 60_000;

/**
 * What makes a game exciting: the points of both seats, those that are left, the moves that were made and that are left, the
 * least time left on a clock that runs (null: none does), the ratings that are known, and whether the game is over.
 *
 * @typedef {{scores: readonly number[], free: number, made: number, left: number, clockMs: number | null,
 *   ratings: readonly number[], over: boolean}} State
 */

/**
 * Return how exciting a game is, from 0 to 1: a close score, little time, few moves left, and strong players.
 *
 * A close score says little at the beginning, and nothing decides a game more than its end, so both grow with the game. Who
 * leads by more than what is left has won: nothing makes that exciting.
 *
 * @param {State} state
 */
export function excitement({ scores, free, made, left, clockMs, ratings, over }) {
  const gap = Math.abs((scores[0] ?? 0) - (scores[1] ?? 0));
  if (over || gap > free) return 0;
  const progress = made + left ? made / (made + left) : 0;
  const close = 1 - gap / (free + 1);
  const hurry = clockMs === null ? 0 : share(LITTLE_MS - clockMs, 0, LITTLE_MS);
  return close * (0.1 + 0.45 * progress * progress + 0.25 * hurry) + 0.2 * strength(ratings);
}

/**
 * Return how exciting a game probably is of which only the list is known, from 0 to 1: people and strong players who play for
 * their ratings. In a game by days, hours pass without a move.
 *
 * @param {Pick<import("../types/wire.js").LobbyRoom, "settings" | "players">} room
 * @param {readonly number[]} ratings
 */
export function likely({ settings, players }, ratings) {
  if (byDays(settings.time)) return 0;
  const people = players.filter((player) => player?.kind === "human").length;
  return 0.1 + 0.1 * people + 0.05 * Number(settings.rated) + 0.2 * strength(ratings);
}

/** @param {readonly number[]} ratings */
function strength(ratings) {
  return ratings.length ? share(ratings.reduce((sum, each) => sum + each, 0) / ratings.length, WEAK, STRONG) : 0;
}

/**
 * Return what makes the game of a room exciting; `now` is in seconds.
 *
 * @param {RoomMirror} mirror
 * @param {readonly number[]} ratings
 * @param {number} now
 * @returns {State}
 */
export function stateOf(mirror, ratings, now) {
  const { board, scores, moves, settings, status } = mirror;
  const free = board.cells.split(".").length - 1;
  const clock = mirror.toMove === null || byDays(settings.time) ? null : roomClock(mirror, mirror.toMove, now);
  return {
    scores,
    free,
    made: moves.length,
    // In some games one may play on few of the free places.
    left: Math.max(free, board.legal.split("1").length - 1),
    clockMs: clock?.runs ? clock.ms : null,
    ratings,
    over: status !== "playing",
  };
}

/**
 * Return the rooms with a game in play that a wall for the player `me` can show, the most exciting first. The page does not follow
 * one's own games by days while they are not open, so these are left out.
 *
 * @template {import("../types/wire.js").LobbyRoom} R
 * @param {readonly R[]} rooms
 * @param {string} me
 * @param {(room: R) => number} worth
 */
export function playing(rooms, me, worth) {
  return rooms
    .filter(({ status }) => status === "playing")
    .filter(({ settings, players }) => !byDays(settings.time) || !players.some((player) => player?.name === me))
    .sort((one, other) => worth(other) - worth(one));
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function share(value, low, high) {
  return Math.max(0, Math.min(1, (value - low) / (high - low)));
}

/**
 * The places of boards: the number of columns, how wide a board is, and whether the first one fills two columns and two rows.
 *
 * @typedef {{columns: number, size: number, large: boolean}} Grid
 */

/**
 * Return the grid in which `count` boards are as large as possible, the first one larger than the others if these do not
 * become much smaller by that. All boards fit into `width` and `height` unless they would be narrower than `least`: then the
 * page scrolls.
 *
 * @param {number} count
 * @param {{width: number, height: number}} room
 * @param {{gap: number, more: number, least: number}} tile - `more`: how much higher than wide a tile is
 * @returns {Grid}
 */
export function gridOf(count, { width, height }, { gap, more, least }) {
  const widest = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const wide = (/** @type {number} */ columns) => Math.floor((width - gap * (columns - 1)) / columns);
  const best = (/** @type {boolean} */ large) => {
    let found = { columns: 0, size: 0, large };
    for (let columns = large ? 2 : 1; columns <= Math.min(widest, count); columns++) {
      const after = large ? count - 1 - 2 * (columns - 2) : count;
      const rows = (large ? 2 : 0) + Math.ceil(Math.max(0, after) / columns);
      const size = Math.min(wide(columns), Math.floor((height - gap * (rows - 1)) / rows - more));
      if (size > found.size) found = { columns, size, large };
    }
    return found;
  };
  const equal = best(false);
  const first = best(count > 2);
  if (first.large && first.size >= Math.max(least, LARGE * equal.size)) return first;
  if (equal.size >= least) return equal;
  const columns = Math.min(widest, count);
  return { columns, size: wide(columns), large: count > 2 && columns > 1 };
}

/** @typedef {{room: string, endedAt: number | null}} Tile */

export class Wall {
  /** @type {readonly Tile[]} */
  tiles = [];
  #most;
  #sortedAt = -Infinity;
  /** @type {number | null} */
  #begunAt = null;
  /** @type {Set<string>} rooms that cannot be shown, as long as the list still has them */
  #closed = new Set();
  /** @type {Set<string>} rooms whose board has given its place to another one; it comes back when no other waits */
  #decided = new Set();
  /** @type {readonly string[]} rooms in play without a board, best first */
  #waiting = [];

  /** @param {number} [most] */
  constructor(most = MOST) {
    this.#most = most;
  }

  /**
   * Apply the list of rooms in play, best first, at `now` in seconds; return whether the tiles
   * changed. A room that has left the list stays for `LINGER_S`, so that people see the end; then
   * a new room takes exactly its place.
   *
   * @param {readonly string[]} live
   * @param {number} now
   */
  take(live, now) {
    this.#begunAt ??= now;
    const before = this.tiles;
    const playing = new Set(live);
    const kept = before.map((tile) =>
      playing.has(tile.room)
        ? tile.endedAt === null
          ? tile
          : { ...tile, endedAt: null }
        : tile.endedAt === null
          ? { ...tile, endedAt: now }
          : tile,
    );
    for (const rooms of [this.#closed, this.#decided]) {
      for (const room of rooms) if (!playing.has(room)) rooms.delete(room);
    }
    const here = new Set(kept.map((tile) => tile.room));
    const others = live.filter((room) => !here.has(room) && !this.#closed.has(room));
    const waiting = [...others.filter((room) => !this.#decided.has(room)), ...others.filter((room) => this.#decided.has(room))];
    /** @type {Tile[]} */
    const tiles = [];
    for (const tile of kept) {
      const gone = tile.endedAt !== null && now >= tile.endedAt + LINGER_S;
      const next = gone ? waiting.shift() : undefined;
      if (!gone) tiles.push(tile);
      else if (next !== undefined) tiles.push({ room: next, endedAt: null });
      // Without another game the last position stays: an empty wall says less.
      else tiles.push(tile);
    }
    while (tiles.length < this.#most && waiting.length) {
      tiles.push({ room: /** @type {string} */ (waiting.shift()), endedAt: null });
    }
    this.tiles = tiles;
    this.#waiting = waiting;
    return tiles.length !== before.length || tiles.some((tile, at) => tile !== before[at]);
  }

  /**
   * Let the last board whose game is decided give its place to the best game that waits, unless boards changed lately; return
   * whether one did.
   *
   * @param {(room: string) => number | null} value - how exciting a room is; null: not known yet
   * @param {(room: string) => number} chance - how exciting a room without a board probably is
   * @param {string | null} held - the room that somebody looks at, which keeps its place
   * @param {number} now - in seconds
   */
  renew(value, chance, held, now) {
    const [next] = this.#waiting;
    if (now < this.#sortedAt + SORT_S || next === undefined || this.#decided.has(next) || chance(next) <= 0) return false;
    const gone = this.tiles.findLast(({ room, endedAt }) => endedAt === null && room !== held && value(room) === 0);
    if (gone === undefined) return false;
    this.#decided.add(gone.room);
    this.#waiting = this.#waiting.slice(1);
    this.tiles = this.tiles.map((tile) => (tile === gone ? { room: next, endedAt: null } : tile));
    this.#sortedAt = now;
    return true;
  }

  /**
   * Put the most exciting boards first, unless that was done lately; return whether boards moved.
   *
   * @param {(room: string) => number | null} value - how exciting a room is; null: not known yet
   * @param {string | null} held - the room that somebody looks at, which keeps its place
   * @param {number} now - in seconds
   */
  sort(value, held, now) {
    const values = this.tiles.map((tile) => value(tile.room));
    // Boards that have just come say nothing yet. Wait for them, so that all take their places at once.
    if (now < this.#sortedAt + SORT_S || values.includes(null)) return false;
    // At first all boards take their places exactly.
    const enough = this.#sortedAt === -Infinity ? 0 : ENOUGH;
    const free = this.tiles.map((tile, at) => ({ tile, worth: values[at] ?? 0 })).filter(({ tile }) => tile.room !== held);
    if (!free.some(({ worth }, at) => free.slice(0, at).some((before) => worth > before.worth + enough))) return false;
    const sorted = [...free].sort((one, other) => other.worth - one.worth);
    this.tiles = this.tiles.map((tile) => (tile.room === held ? tile : /** @type {{tile: Tile}} */ (sorted.shift()).tile));
    this.#sortedAt = now;
    return true;
  }

  /**
   * Return the room for the large board of a television: `current` until its end has been seen, then the most exciting one.
   * At first it is null until all boards have come, or long enough to wait for them has passed.
   *
   * @param {string | null} current
   * @param {(room: string) => number | null} value
   * @param {number} now
   */
  large(current, value, now) {
    const shown = this.tiles.find((tile) => tile.room === current);
    const stays = shown && (shown.endedAt === null || now < shown.endedAt + LINGER_S);
    const live = this.tiles.filter((tile) => tile.endedAt === null);
    if (current === null && live.some((tile) => value(tile.room) === null) && now < (this.#begunAt ?? now) + WAIT_S) return null;
    if (stays || !live.length) return shown?.room ?? this.tiles[0]?.room ?? null;
    return live.reduce((best, tile) => ((value(tile.room) ?? -1) > (value(best.room) ?? -1) ? tile : best)).room;
  }

  /**
   * Remove a room that was closed before its board could be shown; the list may still have it.
   *
   * @param {string} room
   */
  drop(room) {
    this.#closed.add(room);
    this.tiles = this.tiles.filter((tile) => tile.room !== room);
  }
}
