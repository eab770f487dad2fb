// Count down the clocks of a followed room between the server's messages.

/**
 * The two clocks of a match, and the time limit of a single move.
 *
 * `ms` has the remaining times of seats 0 and 1, in milliseconds, from the server's last message;
 * null in a match without clocks. `mover` is the seat to move, or null when no seat is. `runs` says
 * whether the mover's time passes. It does not until `firstUntil`, the end of the time for a first
 * move, which is null for other moves. Every `now` is in seconds, by the same clock that timed the
 * arrival of the messages.
 */
export class RoomClock {
  /** @type {number | null} */
  #moveLimitMs;
  #receivedAt;
  #turnAt;
  /** @type {[number, number] | null} */
  ms = null;
  /** @type {number | null} */
  mover = null;
  runs = false;
  /** @type {number | null} */
  firstUntil = null;

  /**
   * @param {number | null} moveLimitMs
   * @param {number} now
   */
  constructor(moveLimitMs, now) {
    this.#moveLimitMs = moveLimitMs;
    this.#receivedAt = this.#turnAt = now;
  }

  /**
   * Start the turn of seat `mover`; null stops the clocks.
   * @param {[number, number] | null} ms
   * @param {number | null} mover
   * @param {number} now
   * @param {boolean} runs
   */
  beginTurn(ms, mover, now, runs) {
    this.ms = ms;
    this.mover = mover;
    this.runs = runs;
    this.firstUntil = null;
    this.#receivedAt = this.#turnAt = now;
  }

  /**
   * Set the clocks to the server's current times; the turn goes on.
   * @param {[number, number]} ms
   * @param {number} now
   */
  correct(ms, now) {
    this.ms = ms;
    this.#receivedAt = now;
  }

  /**
   * Set what is left of the limit for the current move.
   * @param {number} ms
   * @param {number} now
   */
  setMoveLeft(ms, now) {
    if (this.#moveLimitMs !== null) this.#turnAt = now - (this.#moveLimitMs - ms) / 1000;
  }

  /**
   * Stand still until the mover makes a first move, at the latest at `until`; null: do not.
   * @param {number | null} until
   */
  waitForFirstMove(until) {
    this.firstUntil = until;
    if (until !== null) this.runs = false;
  }

  /** Stop the clocks for good. */
  stop() {
    this.mover = this.firstUntil = null;
    this.runs = false;
  }

  /**
   * Return the times left on the two clocks, at least 0; null in a match without clocks.
   * @param {number} now
   * @returns {[number, number] | null}
   */
  remainingMs(now) {
    if (this.ms === null || this.mover === null || !this.runs) return this.ms;
    // Only the server decides that a flag has fallen; until then the clock shows 0.
    const used = Math.round((now - this.#receivedAt) * 1000);
    const left = Math.max(0, this.ms[this.mover] - used);
    return this.mover === 0 ? [left, this.ms[1]] : [this.ms[0], left];
  }

  /**
   * Return the time left of the limit for the current move.
   *
   * Null without such a limit, or when no seat is to move. A client that receives a snapshot in
   * the middle of a turn does not know when the turn began: it counts from the snapshot.
   * @param {number} now
   */
  moveLeftMs(now) {
    if (this.#moveLimitMs === null || this.mover === null) return null;
    const used = this.runs ? Math.round((now - this.#turnAt) * 1000) : 0;
    return Math.max(0, this.#moveLimitMs - used);
  }

  /**
   * Return how long the mover may still think, or null without a limit.
   *
   * The clock or the limit of the move applies, whichever ends first.
   * @param {number} now
   */
  budgetMs(now) {
    if (this.mover === null) return null;
    const clocks = this.remainingMs(now);
    const move = this.moveLeftMs(now);
    if (clocks === null) return move;
    return move === null ? clocks[this.mover] : Math.min(clocks[this.mover], move);
  }
}
