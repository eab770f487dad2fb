// The session of a learner with one exercise, without DOM and network.
//
// `wanted` is the next question to the server, and `give` takes its answer. A learner may play before the answer is
// there: the move is judged then. A wrong move stays on the board with its sentences until `retry` takes it back. The
// opponent's replies keep the value, so that only right moves of the learner solve an exercise.

import { plural, tr } from "../../texts.js";
import { Knowledge, bestOf, isExact, lossOf, netOf, sorted } from "./knowledge.js";

/**
 * @import { LessonExercise, PositionValues } from "../../types/api"
 * @import { ReviewPhrase } from "../../types/wire"
 * @import { About, Ask } from "./knowledge.js"
 */

/** @typedef {"yours" | "waiting" | "wrong" | "solved"} Status */

export class LessonSession {
  /** @type {readonly number[]} The moves after the first position. */
  moves = [];
  /** @type {Status} */
  status = "yours";
  /** @type {readonly string[]} The sentences about what happened last. */
  feedback = [];
  /** @type {Set<number>} The edges that were clicked rightly in `find`. */
  found = new Set();
  mistakes = 0;
  hintsUsed = 0;
  #know = new Knowledge();
  /** @type {number | null} */
  #pending = null;
  #right = 0;
  /** @type {About | null} */
  #about = null;
  #explained = false;

  /**
   * @param {LessonExercise} exercise
   * @param {readonly string[]} names the names of all actions
   * @param {LessonSession["kept"] | null} [before] what another session with the same exercise kept
   */
  constructor(exercise, names, before = null) {
    this.exercise = exercise;
    this.names = names;
    if (before?.id !== exercise.id) return;
    const { id, found, pending, right, ...known } = before;
    Object.assign(this, known);
    this.found = new Set(found);
    this.#pending = pending;
    this.#right = right;
    if (this.status === "solved") this.#say([exercise.solved]);
  }

  /** What another session needs to go on from here. It judges a wrong move again, and so knows what to say. */
  get kept() {
    const { exercise, moves, status, mistakes, hintsUsed } = this;
    const now = { id: exercise.id, moves, status, mistakes, hintsUsed, found: [...this.found], pending: this.#pending, right: this.#right };
    if (status !== "wrong") return now;
    return { ...now, moves: moves.slice(0, -1), pending: moves[moves.length - 1], status: /** @type {Status} */ ("waiting"), mistakes: mistakes - 1 };
  }

  /** Whether moves are judged. */
  get #plays() {
    return this.exercise.kind === "best" || this.exercise.kind === "play";
  }

  /** The position now, or undefined while it is unknown. */
  get position() {
    return this.#know.position(this.moves);
  }

  /** All positions from the empty board to this one. */
  get history() {
    return this.#know.history(this.moves);
  }

  /** @returns {Ask | null} */
  get wanted() {
    const { moves } = this;
    if (this.position === undefined) return { what: "positions", moves };
    if (this.#about) return this.#about;
    if (!this.#plays || this.status === "solved" || this.#know.isOver(moves)) return null;
    if (this.status !== "wrong" && !this.#know.kinds(moves)) return { what: "kinds", moves };
    return this.#know.values(moves) ? null : { what: "values", moves };
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
      this.feedback = this.#feedbackOn(ask, answer.sentences);
      return;
    }
    this.#know.take(ask, answer);
    this.#advance();
  }

  /**
   * Play or click an edge; return whether that was possible now.
   * @param {number} action
   */
  play(action) {
    if (this.status !== "yours" || !this.#know.isLegal(this.moves, action)) return false;
    if (this.exercise.kind === "find") return this.#mark(action);
    if (!this.#plays) return false;
    this.#pending = action;
    this.status = "waiting";
    this.#say([]);
    this.#advance();
    return true;
  }

  /**
   * Enter the answer of a `count` exercise; return whether that was possible now.
   * @param {number} number
   */
  enter(number) {
    const { kind, answer, solved, wrong } = this.exercise;
    if (kind !== "count" || this.status === "solved") return false;
    if (number === answer) {
      this.#solve([solved]);
      return true;
    }
    this.mistakes += 1;
    const own = wrong.find((each) => each.number === number)?.say;
    const text =
      number > answer
        ? tr("{number} is too many. Count again.", { number })
        : tr("{number} is too few. Count again.", { number });
    this.#say([own || text]);
    return true;
  }

  /**
   * Watch the next step (`by` is 1), or go back by one; return whether there is one.
   * @param {number} by
   */
  step(by) {
    const { kind, steps, solved } = this.exercise;
    const at = this.moves.length + by;
    if (kind !== "watch" || at < 0 || at > steps.length) return false;
    this.moves = steps.slice(0, at).map(({ action }) => action);
    const last = steps[at - 1];
    const said = last ? [last.say || `${this.names[last.action]}.`] : [];
    if (at === steps.length) this.#solve([...said, solved]);
    else this.#say(said);
    return true;
  }

  /** Take the wrong move back; return whether there is one. */
  retry() {
    if (this.status !== "wrong") return false;
    this.moves = this.moves.slice(0, -1);
    this.status = "yours";
    this.#say([]);
    return true;
  }

  /** Begin the exercise again. What is known about positions stays. */
  restart() {
    this.moves = [];
    this.found = new Set();
    this.status = "yours";
    this.#pending = null;
    this.#right = 0;
    this.#say([]);
  }

  /** Return the next hint; after the last one again the last one. */
  hint() {
    const { hints } = this.exercise;
    if (!hints.length) return "";
    this.hintsUsed += 1;
    return hints[Math.min(this.hintsUsed, hints.length) - 1];
  }

  /** The edges to mark on the board: the answer, once the hints are used up. */
  get marked() {
    const { kind, hints, targets } = this.exercise;
    if (this.hintsUsed <= hints.length || this.status !== "yours") return [];
    if (kind === "find") return targets.filter((edge) => !this.found.has(edge)).slice(0, 1);
    const values = this.#know.values(this.moves);
    return values ? bestOf(values) : [];
  }

  /**
   * How much is done, and how much there is: moves, edges or steps.
   * @returns {[number, number]}
   */
  get progress() {
    const { kind, length, targets, steps } = this.exercise;
    if (kind === "best") return [this.#right, length];
    if (kind === "find") return [this.found.size, targets.length];
    if (kind === "watch") return [this.moves.length, steps.length];
    return [Number(this.status === "solved"), 1];
  }

  // -- inside ----------------------------------------------------------------------------------

  /** Judge the learner's move and play the opponent's, as far as the server has answered. */
  #advance() {
    while (this.status === "waiting") {
      const { position, moves } = this;
      if (position === undefined) return;
      if (position.to_move === null) {
        this.#solve([this.exercise.solved]);
        return;
      }
      const values = this.#know.values(moves);
      if (!values || !this.#know.kinds(moves)) return;
      if (this.#pending !== null) this.#judge(values, this.#pending);
      else if (position.to_move === this.exercise.seat) this.status = "yours";
      else this.moves = [...moves, this.#reply(values)];
    }
    if (this.status === "wrong" && !this.#explained) this.#explain();
  }

  /**
   * @param {PositionValues} values
   * @param {number} action
   */
  #judge(values, action) {
    const { kind, least, length, seat, solved } = this.exercise;
    const before = this.moves;
    this.#pending = null;
    this.moves = [...before, action];
    const lost = lossOf(values, action, seat) > 0;
    if (lost) {
      this.mistakes += 1;
      const about = /** @type {About} */ ({ what: "sentences", moves: before, action, values, answer: [] });
      this.#say(this.#feedbackOn(about, []));
      const after = values.actions.find((each) => each.action === action);
      if (kind === "best" || (after && netOf(after, seat) < least)) {
        this.status = "wrong";
        this.#explained = false;
        return;
      }
      this.#ask(about);
    }
    this.#right += 1;
    if (kind === "best" && this.#right === length) this.#solve([solved]);
  }

  /** Ask why the last move was wrong, once the best answer to it is known. */
  #explain() {
    const { moves } = this;
    const answer = this.#know.isOver(moves) ? [] : this.#know.values(moves)?.line;
    const before = moves.slice(0, -1);
    const values = this.#know.values(before);
    if (answer === undefined || values === undefined) return;
    this.#explained = true;
    this.#ask({ what: "sentences", moves: before, action: moves[before.length], values, answer });
  }

  /** @param {About} about */
  #ask(about) {
    if (isExact(about.values, about.action)) this.#about = about;
  }

  /**
   * Return the best action that an opponent would choose by nature: one that takes a box, else one that gives the
   * fewest boxes away.
   * @param {PositionValues} values
   */
  #reply(values) {
    const kinds = this.#know.kinds(this.moves);
    const rank = (/** @type {number} */ edge) => {
      const kind = kinds?.get(edge);
      return [kind?.kinds.includes("takes") ? 0 : 1, kind?.gives ?? 0, edge];
    };
    return bestOf(values).sort((a, b) => {
      const [first, second] = [rank(a), rank(b)];
      return first[0] - second[0] || first[1] - second[1] || a - b;
    })[0];
  }

  /**
   * Return the sentences about a wrong move: the reason, what it cost, and the result. The reason is the lesson's own
   * sentence, or else that of a rule.
   *
   * @param {About} about
   * @param {readonly ReviewPhrase[]} sentences
   */
  #feedbackOn({ moves, action, values }, sentences) {
    const { reasons, facts, hasCost } = sorted(sentences);
    const own = this.#ownSentence(moves, action);
    const count = Math.round(lossOf(values, action, this.exercise.seat));
    if (!hasCost) facts.unshift(plural("It cost {count} box.", "It cost {count} boxes.", count, { count }));
    return [...(own ? [own] : reasons), ...facts];
  }

  /**
   * Return the lesson's sentence about a wrong edge, or "" if it has none.
   * @param {readonly number[]} moves
   * @param {number} action
   */
  #ownSentence(moves, action) {
    const kinds = this.#know.kinds(moves)?.get(action)?.kinds ?? [];
    const fits = this.exercise.wrong.find(({ move, actions }) =>
      // The server has resolved kinds in the first position.
      move && moves.length ? kinds.includes(move) : actions.includes(action),
    );
    return fits?.say ?? "";
  }

  /** @param {number} action */
  #mark(action) {
    if (this.found.has(action)) return false;
    const { targets, solved, why_not: why } = this.exercise;
    const move = this.names[action];
    if (!targets.includes(action)) {
      this.mistakes += 1;
      this.#say([this.#ownSentence(this.moves, action) || tr("{move} is not one of them. {why}", { move, why: tr(why) })]);
      return true;
    }
    this.found = new Set([...this.found, action]);
    const left = targets.length - this.found.size;
    if (left) this.#say([tr("{move} is right. {left} to go.", { move, left })]);
    else this.#solve([solved]);
    return true;
  }

  /** @param {readonly string[]} said */
  #solve(said) {
    this.status = "solved";
    this.#say(said.filter((sentence) => sentence));
  }

  /** @param {readonly string[]} sentences */
  #say(sentences) {
    this.#about = null;
    this.feedback = sentences;
  }
}
