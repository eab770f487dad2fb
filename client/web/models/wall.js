// Choose which rooms a wall of live boards shows, so that boards keep their places.

/** The most boards at once. */
export const MOST = 12;
/** How long a finished game stays before another takes its place, in seconds. */
export const LINGER_S = 6;

/** @typedef {{room: string, endedAt: number | null}} Tile */

export class Wall {
  /** @type {readonly Tile[]} */
  tiles = [];
  #most;
  /** @type {Set<string>} rooms that cannot be shown, as long as the list still has them */
  #closed = new Set();

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
    for (const room of this.#closed) if (!playing.has(room)) this.#closed.delete(room);
    const here = new Set(kept.map((tile) => tile.room));
    const waiting = live.filter((room) => !here.has(room) && !this.#closed.has(room));
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
    return tiles.length !== before.length || tiles.some((tile, at) => tile !== before[at]);
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
