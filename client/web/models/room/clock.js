// Say how much time the players have left.

/** Below this time, in milliseconds, a clock is low: it is red and shows tenths of a second. */
export const LOW_MS = 10_000;

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/**
 * The time left in milliseconds, and whether the clock `runs`.
 *
 * @typedef {{ms: number, runs: boolean}} TimeLeft
 */

/**
 * Return the time of `seat` in a room, or null if the match has no clocks.
 *
 * `now` is in seconds by the client's clock. The clock of the mover shows the limit of the move if
 * that ends first.
 *
 * @param {RoomMirror} mirror
 * @param {number} seat
 * @param {number} now
 * @returns {TimeLeft | null}
 */
export function roomClock(mirror, seat, now) {
  const moves = mirror.toMove === seat;
  const clocks = mirror.clock.remainingMs(now);
  let ms = clocks === null ? null : (clocks[seat] ?? null);
  const limit = mirror.clock.moveLeftMs(now);
  if (moves && limit !== null) ms = ms === null ? limit : Math.min(ms, limit);
  ms ??= mirror.settings.time.move_ms ?? null;
  return ms === null ? null : { ms, runs: mirror.clock.runs && moves };
}
