// The session of a player with one puzzle, without DOM and network.
//
// The puzzle has the cost of every first move, so the first move is judged at once. For all others the session asks
// the server: `wanted` is the next question, and `give` takes its answer.
//
// A puzzle asks for one to four turns. A turn is right if each of its moves keeps the value. The opponent replies with
// best moves. A wrong move stays on the board with what it costs until it is taken back. The answer comes only to those
// who ask: first some edges to choose from, then the right one, then the move itself.

import { plural, said } from "../../texts.js";
import { Knowledge, isExact, lossOf, sorted } from "./knowledge.js";

/**
 * @import { PositionValues, PuzzleAnswer } from "../../types/api"
 * @import { ReviewPhrase } from "../../types/wire"
 * @import { About, Ask } from "./knowledge.js"
 */

/** @typedef {"yours" | "waiting" | "wrong" | "solved" | "shown"} Status */

/** How many hints there are in each position. */
const HINTS = 2;
/** How many edges the first hint leaves to choose from. */
const CHOICES = 3;

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
  /** Whether a hint was given, in any position. */
  hinted = false;
  /** Whether a move of the solution was shown. */
  helped = false;
  /** How many hints were given in this position. */
  hints = 0;
  /** Whether the last own move was shown. */
  #shows = false;
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
   * @param {PuzzleSession["kept"] | null} [before] what another session with the same puzzle kept
   */
  constructor(puzzle, names, before = null) {
    this.puzzle = puzzle;
    this.names = names;
    this.seat = puzzle.seat;
    if (before?.id !== puzzle.id) return;
    const { id, pending, mover, shows, ...known } = before;
    Object.assign(this, known);
    this.#pending = pending;
    this.#mover = mover;
    this.#shows = shows;
  }

  /** What another session needs to go on from here. It judges a wrong move again, and so knows what to say. */
  get kept() {
    const { puzzle, moves, status, mistakes, turn, hinted, helped, hints } = this;
    const now = { id: puzzle.id, moves, status, mistakes, turn, hinted, helped, hints, pending: this.#pending, mover: this.#mover, shows: this.#shows };
    if (status !== "wrong") return now;
    return { ...now, moves: moves.slice(0, -1), pending: moves[moves.length - 1], status: /** @type {Status} */ ("waiting"), mistakes: mistakes - 1 };
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

  /** Whether all hints of this position were given. */
  get exhausted() {
    return this.hints === HINTS;
  }

  /** The edges that the hint marks. */
  get marked() {
    const values = this.status === "yours" && this.hints ? this.#values(this.moves) : undefined;
    if (values === undefined) return [];
    const { actions, value } = values;
    const wrong = actions.filter(({ net }) => net !== value.net).slice(0, this.exhausted ? 0 : CHOICES - 1);
    return [actions[0], ...wrong].map(({ action }) => action).sort((a, b) => a - b);
  }

  /**
   * Play an edge; return whether that was possible now.
   * @param {number} action
   */
  play(action) {
    this.#shows = false;
    return this.#choose(action);
  }

  /** @param {number} action */
  #choose(action) {
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

  /** Give the next hint; return whether there is one. */
  hint() {
    this.retry();
    if (this.status !== "yours" || this.exhausted) return false;
    this.hints += 1;
    this.hinted = true;
    this.#clear();
    return true;
  }

  /** Play the next move of the solution; return whether that was possible now. */
  show() {
    this.retry();
    const best = this.#values(this.moves)?.actions[0].action;
    if (best === undefined || this.status !== "yours") return false;
    this.helped = this.#shows = true;
    return this.#choose(best);
  }

  /** Begin again. Mistakes and what is known about positions stay. */
  restart() {
    this.moves = [];
    this.turn = this.hints = 0;
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
    while (this.status === "waiting") {
      const { position, moves } = this;
      if (position === undefined || (this.#mover !== null && this.#moved(position.to_move))) return;
      const values = this.#values(moves);
      if (values === undefined) return;
      if (position.to_move !== this.seat) this.#move(values.actions[0].action);
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
    this.status = this.#shows ? "shown" : "solved";
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
    this.hints = 0;
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
   * Return the sentences about a move. Those about a wrong one say why only after the last hint, because the reason
   * names a better move.
   * @param {About} about
   * @param {readonly ReviewPhrase[]} sentences
   */
  #sentencesOn({ action, values }, sentences) {
    const lost = Math.round(lossOf(values, action, this.seat));
    if (!lost) return sentences.map(said);
    const { reasons, facts } = sorted(sentences.filter(({ rule }) => rule !== "cost"));
    const cost = plural("{move} costs {count} box.", "{move} costs {count} boxes.", lost, { move: this.names[action], count: lost });
    return [cost, ...(this.exhausted ? reasons : []), ...facts];
  }

  #clear() {
    this.#about = null;
    this.feedback = [];
  }
}
