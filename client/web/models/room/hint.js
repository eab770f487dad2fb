// Keep one hint: the position for which it was requested, and the answer.

import { told, tr } from "../../texts.js";
import { adviceLine } from "./words.js";

/** @typedef {import("./model.js").RoomModel} RoomModel */
/** @typedef {import("./permissions.js").RoomPermissions} RoomPermissions */
/** @typedef {import("../../types/wire.js").AdviceGiven} Advice */

/**
 * The position for which to request advice.
 *
 * @typedef {{room: string, match: number, ply: number, takebacks: number}} HintRequest
 */

/**
 * At most one hint for the room of `model`; it is dropped when the position changes.
 *
 * `best` is the action to mark on the board, or null without advice. `problem` is a sentence that
 * says why there is no advice.
 */
export class HintModel {
  /**
   * @param {RoomModel} model
   * @param {RoomPermissions} may
   */
  constructor(model, may) {
    this._model = model;
    this._may = may;
    /** @type {number | null} */
    this.best = null;
    this.problem = "";
    /** @type {Advice | null} */
    this._advice = null;
    /** @type {HintRequest | null} */
    this._request = null;
    /** @type {number | null} */
    this._askedAt = null;
  }

  /** Whether a request waits for its answer. */
  get thinking() {
    return this._askedAt !== null;
  }

  /**
   * Begin a request at `now`, in seconds, and return it; null if no hint is allowed now, or if a
   * request already waits for its answer.
   *
   * @param {number} now
   */
  ask(now) {
    if (!this._may.hint || this.thinking) return null;
    this._forget();
    this._askedAt = now;
    return (this._request = this._current());
  }

  /**
   * Store the answer to `request`; return false if the request was dropped before.
   *
   * @param {HintRequest} request
   * @param {Advice} advice
   */
  take(request, advice) {
    if (request !== this._request) return false;
    this._askedAt = null;
    const best = advice.best[0];
    if (best !== undefined && same(advice, request)) {
      this._advice = advice;
      this.best = best;
    } else {
      this.problem = tr("There is no advice for this position.");
    }
    return true;
  }

  /**
   * Store why `request` failed; return false if the request was dropped before.
   *
   * @param {HintRequest} request
   * @param {string} sentence
   */
  fail(request, sentence) {
    if (request !== this._request) return false;
    this._askedAt = null;
    this.problem = sentence;
    return true;
  }

  /** Drop the hint or its request if the position changed. */
  update() {
    if (this._request === null) return;
    const pending = this._model.pending.order !== null;
    if (!this._model.playing || !same(this._current(), this._request) || pending) this._forget();
  }

  /**
   * Describe the hint or its request at `now`, in seconds; empty without either.
   *
   * @param {number} now
   */
  line(now) {
    if (this._askedAt !== null) {
      const waited = Math.floor(now - this._askedAt);
      return waited < 2
        ? tr("Looking for the best move ...")
        : tr("Looking for the best move ... {seconds} s", { seconds: waited });
    }
    if (this._advice === null || this.best === null) return this.problem;
    const { geometry, seats, toMove } = this._model;
    const name = geometry.names[this.best] ?? String(this.best);
    const mover = seats.shared && toMove !== null ? this._model.name(toMove) : "";
    const { reason = "", phrase, net, exact } = this._advice;
    return adviceLine({ name, reason: told(reason, phrase), net, exact, unit: geometry.unit, mover });
  }

  _forget() {
    this.best = this._advice = this._request = this._askedAt = null;
    this.problem = "";
  }

  /** @returns {HintRequest} */
  _current() {
    const { room, match, moves, takebacks } = this._model.mirror;
    return { room, match, ply: moves.length, takebacks };
  }
}

/** @typedef {{match: number, ply: number, takebacks?: number}} Place */

/**
 * Return whether both are about the same position.
 *
 * @param {Place} one
 * @param {Place} other
 */
function same(one, other) {
  const takebacks = (one.takebacks ?? 0) === (other.takebacks ?? 0);
  return takebacks && one.match === other.match && one.ply === other.ply;
}
