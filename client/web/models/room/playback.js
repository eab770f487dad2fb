// Decide which position of a match a spectator sees, and when the next move appears.
//
// The room follows the match all the time; `Playback` only chooses how many of its moves are shown.
// `follow` learns of new moves, `tick` shows the next one when it is due, and the other methods are
// what a person can do. Times are in seconds. The window has the same in `playback.py`.

/** The speed at which moves are played again if none was chosen, in seconds a move. */
export const REPLAY_S = 1;

/** What one spectator sees of the matches in a room. */
export class Playback {
  constructor() {
    /** The time a move in seconds; null: moves are shown as they come. @type {number | null} */
    this.pace = null;
    /** Whether nothing moves by itself. */
    this.paused = false;
    /** How many moves are shown; null: all, also those that will come. @type {number | null} */
    this.at = null;
    this._match = 0;
    this._total = 0;
    this._over = false;
    this._endSeen = false;
    this._shownAt = -Infinity;
  }

  /** How many moves of the match are not shown. */
  get behind() {
    return this.at === null ? 0 : this._total - this.at;
  }

  /** Whether the match is over, and the spectator has not been led to its end yet. */
  get hidesEnd() {
    return this._over && !this._endSeen;
  }

  /** Whether nothing is going to move: it is paused, or the end of a match is shown. */
  get still() {
    return this.paused || (this._over && this.at === null);
  }

  // -- the match ------------------------------------------------------------------------------

  /**
   * Note that `match` has `total` moves at `now`, and whether it is over.
   *
   * @param {number} match
   * @param {number} total
   * @param {boolean} over
   * @param {number} now
   */
  follow(match, total, over, now) {
    if (match !== this._match) {
      this._match = match;
      this._endSeen = this.paused = false;
      this.at = null;
      // The first match that this spectator sees began before: show its latest position.
      this._total = this.pace === null ? total : 0;
    }
    this._over = over;
    this._endSeen &&= over;
    if (total > this._total && this.at === null && this.pace !== null) this.at = this._total;
    this._total = total;
    this._settle();
    this.tick(now);
  }

  /**
   * Show the next move if it is due at `now`; return whether it was.
   *
   * @param {number} now
   */
  tick(now) {
    if (this.at === null || this.paused || now < this._shownAt + (this.pace ?? REPLAY_S)) return false;
    this.at++;
    this._shownAt = now;
    this._settle();
    return true;
  }

  // -- what a person can do -------------------------------------------------------------------

  /**
   * Pause or go on at `now`; at the end of a match play it again from its start.
   *
   * @param {number} now
   */
  playOrPause(now) {
    if (this._over && this.at === null) this.restart(now);
    else if (this.paused) this._play(now);
    else {
      this.paused = true;
      this.at ??= this._total;
    }
  }

  /**
   * Play the match from its start, with the next move one pace after `now`.
   *
   * @param {number} now
   */
  restart(now) {
    this.at = 0;
    this._play(now);
  }

  /** Show the latest position, and moves as they come. */
  live() {
    this.at = this.pace = null;
    this.paused = false;
    this._settle();
  }

  /**
   * Pause in the position after `ply` moves, limited to those of the match.
   *
   * @param {number} ply
   */
  look(ply) {
    this.at = Math.max(0, ply);
    this.paused = true;
    this._settle();
  }

  /**
   * Show moves at `pace` from now on; null leads to the latest position unless paused.
   *
   * @param {number | null} pace
   */
  choose(pace) {
    this.pace = pace;
    if (pace === null && !this.paused) this.at = null;
    this._settle();
  }

  /** @param {number} now */
  _play(now) {
    this.paused = false;
    if (this.behind) this.pace ??= REPLAY_S;
    this._shownAt = now;
    this._settle();
  }

  _settle() {
    if (this.at !== null) {
      this.at = Math.min(this.at, this._total);
      if (this.at === this._total && (this._over || !this.paused)) {
        this.at = null;
        this.paused = false;
      }
    }
    if (this._over && this.at === null) this._endSeen = true;
  }
}
