// Choose the sound for a change in a room.

import { LOW_MS } from "./clock.js";

/** @typedef {import("./model.js").RoomModel} RoomModel */
/** @typedef {"draw" | "capture" | "turn" | "won" | "lost" | "low"} Cue */

/**
 * Compares the room of `model` with its state at the last call, and chooses a sound.
 *
 * The state at creation is the first one to compare with, so earlier events make no sound.
 */
export class SoundCues {
  /** @param {RoomModel} model */
  constructor(model) {
    this._model = model;
    this._last = this._state();
    /** @type {[boolean | null, boolean | null]} */
    this._low = [null, null];
  }

  /**
   * Return the sound of a change in the room, or null. `own` says that this page's own move was
   * heard already when it was made.
   *
   * @param {boolean} [own]
   * @returns {Cue | null}
   */
  afterUpdate(own = false) {
    const was = this._last;
    const is = (this._last = this._state());
    const { ending, seats } = this._model;
    if (is.match !== was.match) return is.mine ? "turn" : "draw";
    if (ending !== null && !was.over) {
      if (ending.winner === null) return "turn";
      return ending.won === false ? "lost" : "won";
    }
    if (is.taken > was.taken) return "capture";
    if (is.asked && !was.asked) return "turn";
    if (is.mine && !was.mine && !own && !seats.shared) return "turn";
    return is.moves > was.moves && !own ? "draw" : null;
  }

  /**
   * Return a sound if a clock of this page has just run low at `now`, in seconds.
   *
   * @param {number} now
   * @returns {Cue | null}
   */
  at(now) {
    const before = this._low;
    this._low = [this._clockIsLow(0, now), this._clockIsLow(1, now)];
    return this._low.some((low, seat) => low === true && before[seat] === false) ? "low" : null;
  }

  _state() {
    const { mirror, ending, seats, shown } = this._model;
    // Players hear what happens, spectators what they see.
    const { cells } = seats.watching ? shown : mirror.board;
    const taken = [...cells].filter((owner) => owner !== ".").length;
    const counts = this._model.geometry.pieces === "fill";
    return {
      match: mirror.match,
      moves: seats.watching ? this._model.ply : mirror.moves.length,
      taken: counts ? taken : 0,
      mine: this._model.seats.has(this._model.toMove),
      over: ending !== null,
      asked: mirror.takeback !== null && !this._model.seats.has(mirror.takeback.seat),
    };
  }

  /**
   * @param {number} seat
   * @param {number} now
   */
  _clockIsLow(seat, now) {
    if (!this._model.seats.has(seat)) return null;
    const left = this._model.clock(seat, now);
    return left !== null && left.runs ? left.ms < LOW_MS : null;
  }
}
