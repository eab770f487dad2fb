// Format the clocks of the players.

/** Below this time, in milliseconds, a clock is red and shows tenths of a second. */
export const LOW_MS = 10_000;

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/**
 * What a clock shows: its text, whether time is `low`, and whether it `runs`.
 *
 * @typedef {{text: string, low: boolean, runs: boolean}} ClockFace
 */

/**
 * Return what a clock with `leftMs` milliseconds left shows.
 *
 * Below ten seconds it shows tenths, from one hour on hours. Times are rounded up, so 0.0 means
 * that no time is left.
 *
 * @param {number} leftMs
 * @param {boolean} runs
 * @returns {ClockFace}
 */
export function clockFace(leftMs, runs) {
  const left = Math.max(0, leftMs);
  if (left < LOW_MS) {
    const tenths = Math.ceil(left / 100);
    const text = tenths < 100 ? `${Math.floor(tenths / 10)}.${tenths % 10}` : "0:10";
    return { text, low: true, runs };
  }
  const seconds = Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const text = hours
    ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
  return { text, low: false, runs };
}

/**
 * Return the clock of `seat` in a room, or null if the match has no clocks.
 *
 * `now` is in seconds by the client's clock. The clock of the mover shows the limit of the move if
 * that ends first.
 *
 * @param {RoomMirror} mirror
 * @param {number} seat
 * @param {number} now
 * @returns {ClockFace | null}
 */
export function roomClock(mirror, seat, now) {
  const moves = mirror.toMove === seat;
  const runs = mirror.clock.runs && moves;
  const clocks = mirror.clock.remainingMs(now);
  let left = clocks === null ? null : clocks[seat];
  const limit = mirror.clock.moveLeftMs(now);
  if (mirror.status === "playing" && moves && limit !== null) {
    left = left === null ? limit : Math.min(left, limit);
  }
  left ??= mirror.settings.time.move_ms ?? null;
  return left === null ? null : clockFace(left, runs);
}
