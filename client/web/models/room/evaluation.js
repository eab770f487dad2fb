// What the server thinks of a match in play, for people who watch it: when to ask, and what may be shown.

/**
 * @import { EvaluationGiven } from "../../core/messages.js"
 * @import { RoomMirror } from "../../core/room.js"
 */

/**
 * What is watched: a room, the ply and the scores on the board, and whether the person here is none of the players.
 *
 * @typedef {{mirror: RoomMirror, seats: {watching: boolean}, ply: number, geometry: {cells: readonly unknown[]},
 *   shown: {scores: readonly number[]}}} Watched
 */

/** How many moves the server is behind. */
const BEHIND = 2;

/** The evaluation in the room of `model`; null: not known yet. */
export class Evaluation {
  /** @param {Watched} model */
  constructor(model) {
    this._model = model;
    /** @type {EvaluationGiven | null} */
    this._given = null;
    /** The move that was asked about last. */
    this._asked = "";
  }

  /** Whether the players allow it, and the person here is not one of them. */
  get on() {
    const { mirror, seats } = this._model;
    return mirror.settings.evaluation === true && seats.watching && mirror.status === "playing";
  }

  /** Whether the server has something new to say. If so, it counts as asked from now on. */
  ask() {
    const { moves } = this._model.mirror;
    const about = `${this._place} ${moves.length}`;
    if (!this.on || moves.length < BEHIND || about === this._asked) return false;
    this._asked = about;
    return true;
  }

  /** @param {EvaluationGiven} given */
  take(given) {
    this._given = given;
  }

  /**
   * What is known about a move of the match that the board shows, or has gone past; null: nothing, or the board is at an
   * earlier move, and what comes stays a surprise.
   */
  get move() {
    const given = this._given;
    if (!this.on || given === null || `${given.match} ${given.takebacks}` !== this._place) return null;
    return given.move.ply < this._model.ply ? given.move : null;
  }

  /**
   * How many points each seat will have in the end with best play, beside those it has on the board shown; null: unknown.
   */
  get coming() {
    const { geometry, shown } = this._model;
    if (this.move === null) return null;
    const { net } = this.move.after;
    const all = geometry.cells.length;
    const [first, second] = [(all + net) / 2, (all - net) / 2];
    return [Math.max(0, first - (shown.scores[0] ?? 0)), Math.max(0, second - (shown.scores[1] ?? 0))];
  }

  get _place() {
    const { match, takebacks } = this._model.mirror;
    return `${match} ${takebacks}`;
  }
}
