// The session of a player with one puzzle, without DOM and network.
//
// It follows `analysis/puzzles/session.py` step by step; tests compare the two. The puzzle has the cost of every
// first move, so the first move is judged at once. For all others the session asks the server: `wanted` is the next
// question, and `give` takes its answer.

import { plural, said } from "../../texts.js";
import { Knowledge, isExact, lossOf } from "./knowledge.js";

/**
 * @import { PositionValues, PuzzleAnswer } from "../../types/api"
 * @import { ReviewPhrase } from "../../types/wire"
 * @import { About, Ask } from "./knowledge.js"
 */

/** @typedef {"yours" | "waiting" | "wrong" | "showing" | "solved" | "shown"} Status */

export class PuzzleSession {
  /** @type {readonly number[]} The moves after the puzzle's position. */
  moves = [];
  /** @type {Status} */
  status = "yours";
  /** @type {readonly string[]} The sentences about the player's last move. */
  feedback = [];
  mistakes = 0;
  /** How many turns were right. */
  turn = 0;
  /** Whether the solution was shown. */
  helped = false;
  #know = new Knowledge();
  /** @type {number | null} */
  #pending = null;
  /** @type {number | null} Who made the last move, until its result is known. */
  #mover = null;
  /** @type {About | null} */
  #about = null;

  /**
   * @param {PuzzleAnswer} puzzle
   * @param {readonly string[]} names the names of all actions
   */
  constructor(puzzle, names) {
    this.puzzle = puzzle;
    this.names = names;
    this.seat = puzzle.seat;
  }

  /** The position now, or undefined while it is unknown. */
  get position() {
    return this.#know.position(this.moves);
  }

  /** All positions from the empty board to this one. */
  get history() {
    return this.#know.history(this.moves);
  }

  /** Whether the puzzle is solved, or its solution is on the board. */
  get over() {
    return this.status === "solved" || this.status === "shown";
  }

  /** @returns {Ask | null} */
  get wanted() {
    const { moves } = this;
    if (this.position === undefined) return { what: "positions", moves };
    if (this.#about && (this.status !== "wrong" || this.#missing() === null)) return this.#about;
    const missing = this.over ? null : this.#missing();
    return missing && { what: "values", moves: missing };
  }

  /**
   * Take an answer of the server, and go on if the session waited.
   * @param {Ask} ask
   * @param {any} answer
   */
  give(ask, answer) {
    if (ask.what === "sentences") {
      if (ask !== this.#about) return;
      this.#about = null;
      this.feedback = this.#sentencesOn(ask, answer.sentences);
      return;
    }
    this.#know.take(ask, answer);
    if (ask.what === "values" && this.status === "wrong") {
      const before = this.moves.slice(0, -1);
      this.#say(before, this.moves[before.length]);
    }
    this.#advance();
  }

  /**
   * Play an edge; return whether that was possible now.
   * @param {number} action
   */
  play(action) {
    if (this.status !== "yours" || !this.#know.isLegal(this.moves, action)) return false;
    this.#pending = action;
    this.status = "waiting";
    this.#clear();
    this.#advance();
    return true;
  }

  /** Take the wrong move back; return whether there is one. */
  retry() {
    if (this.status !== "wrong") return false;
    this.moves = this.moves.slice(0, -1);
    this.status = "yours";
    this.#clear();
    return true;
  }

  /** Play the rest of the solution out; return whether that was possible now. */
  show() {
    this.retry();
    if (this.status !== "yours") return false;
    this.helped = true;
    this.status = "showing";
    this.#clear();
    this.#advance();
    return true;
  }

  /** Begin again. Mistakes and what is known about positions stay. */
  restart() {
    this.moves = [];
    this.turn = 0;
    this.status = "yours";
    this.#pending = this.#mover = null;
    this.#clear();
  }

  // -- inside ----------------------------------------------------------------------------------

  /** Return the moves after which values are missing, or null. */
  #missing() {
    const { moves, status } = this;
    const needed = status === "wrong" ? [moves.slice(0, -1), moves] : [moves];
    return needed.find((each) => !this.#know.values(each) && !this.#know.isOver(each)) ?? null;
  }

  /** @param {readonly number[]} moves */
  #values(moves) {
    return this.#know.values(moves) ?? (moves.length ? undefined : this.#first());
  }

  /**
   * Return the values of the first position, which the puzzle has.
   * @returns {PositionValues}
   */
  #first() {
    const { seat, net, costs } = this.puzzle;
    const sign = seat === 0 ? 1 : -1;
    const actions = [...costs]
      .sort((a, b) => a.cost - b.cost || a.action - b.action)
      .map(({ action, cost }) => ({ action, net: sign * (net - 2 * cost), spread: 0 }));
    const [best] = actions;
    return { version: 1, value: { net: best.net, spread: 0 }, actions, line: [best.action] };
  }

  /** Judge the player's move and play the opponent's, as far as the server has answered. */
  #advance() {
    while (this.status === "waiting" || this.status === "showing") {
      const { position, moves } = this;
      if (position === undefined || (this.#mover !== null && this.#moved(position.to_move))) return;
      const values = this.#values(moves);
      if (values === undefined) return;
      if (position.to_move !== this.seat || this.status === "showing") this.#move(values.actions[0].action);
      else if (this.#pending !== null) this.#judge(values, this.#pending);
      else this.status = "yours";
    }
  }

  /**
   * Count a turn when it has ended; return whether the puzzle is over.
   * @param {number | null} toMove
   */
  #moved(toMove) {
    if (this.#mover === this.seat && toMove !== this.seat) this.turn += 1;
    this.#mover = null;
    if (this.turn < this.puzzle.turns && toMove !== null) return false;
    this.status = this.status === "showing" ? "shown" : "solved";
    return true;
  }

  /**
   * @param {PositionValues} values
   * @param {number} action
   */
  #judge(values, action) {
    const before = this.moves;
    this.#pending = null;
    this.#say(before, action);
    if (lossOf(values, action, this.seat) > 0) {
      this.mistakes += 1;
      this.moves = [...before, action];
      this.status = "wrong";
    } else {
      this.#move(action);
    }
  }

  /** @param {number} action a move that keeps the value */
  #move(action) {
    this.#mover = this.position?.to_move ?? null;
    this.moves = [...this.moves, action];
  }

  /**
   * Say what is known about a move, and ask for better sentences.
   * @param {readonly number[]} moves those before it
   * @param {number} action
   */
  #say(moves, action) {
    const values = this.#values(moves);
    if (values === undefined) return;
    const answer = this.#know.values([...moves, action])?.line ?? [];
    /** @type {About} */
    const about = { what: "sentences", moves, action, values, answer };
    this.#about = isExact(values, action) ? about : null;
    this.feedback = this.#sentencesOn(about, []);
  }

  /**
   * Return the sentences about a move; a mistake without a reason gets one about its cost.
   * @param {About} about
   * @param {readonly ReviewPhrase[]} sentences
   */
  #sentencesOn({ action, values }, sentences) {
    const texts = sentences.map(said);
    const lost = Math.round(lossOf(values, action, this.seat));
    if (!lost || sentences.some(({ rule }) => rule === "cost")) return texts;
    return [plural("{move} costs {count} box.", "{move} costs {count} boxes.", lost, { move: this.names[action], count: lost }), ...texts];
  }

  #clear() {
    this.#about = null;
    this.feedback = [];
  }
}
