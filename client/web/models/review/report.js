// Say what the report of a review means: marks of moves, mistakes, notes, accuracy, turning point.

import { decimal, plural, said, tr } from "../../texts.js";
import { costWords, isExact, outlook } from "./scores.js";

/** @import { ReviewReport, ReviewedMove } from "./types" */

/** How many degrees of mistakes have a colour of their own. */
export const TIERS = 3;
/** The least cost that is marked, in boxes; half of one is the step between a win and a draw. */
const LEAST = 0.5;
/** How many better moves a note names. */
const NAMED = 3;
const MINUS = "\u2212";

/**
 * The mark of a move that certainly cost something, such as `−2`; an estimated cost begins with `~`.
 * Where a game is only won, lost or drawn, `??` marks a win that became a loss, and `?` half of that.
 * `tier` is its degree, from 0. `words` says the same.
 * @typedef {{text: string, tier: number, words: string}} Mark
 */

/**
 * What to say about one move. `headline` is one short line, `sentences` say why, `outlook` is the
 * result to expect. `better` has the better moves. `line` and `answer` are the best lines instead of
 * the move and after it, both empty unless it has a mark.
 * @typedef {{headline: string, sentences: string[], outlook: string, mark: Mark | null,
 *   better: number[], line: number[], answer: number[]}} Note
 */

/** The report of a game; moves are counted from 1, as a review shows them. */
export class Report {
  /**
   * @param {ReviewReport} report
   * @param {{names: readonly string[], unit: string}} geometry
   * @param {readonly string[]} players
   */
  constructor(report, { names, unit }, players) {
    this._names = names;
    this._unit = unit;
    this._players = players;
    this.moves = report.moves;
    this._accuracy = report.accuracy;
    /** The number of the move after which the result could not be saved; null: none, or unknown. */
    this.turning = report.turning === null ? null : report.turning + 1;
    this._sure = report.turning_sure;
    /** @type {readonly (Mark | null)[]} The mark of each move. */
    this.marks = report.moves.map((move) => markOf(move, unit));
    /** The numbers of the moves with a mark. */
    this.mistakes = this.marks.flatMap((mark, at) => (mark === null ? [] : [at + 1]));
    /** What each position is worth, from the one before the first move to the last. */
    this.values = report.moves.flatMap(({ before, after }, at) => (at ? [after] : [before, after]));
  }

  /**
   * Return the number of the nearest mistake after move `number` (`by` > 0) or before it; null: none.
   * @param {number} number
   * @param {number} by
   */
  mistake(number, by) {
    if (by > 0) return this.mistakes.find((each) => each > number) ?? null;
    return this.mistakes.findLast((each) => each < number) ?? null;
  }

  /**
   * Return what to say about move `number`; 0: about the whole game.
   * @param {number} number
   * @returns {Note}
   */
  note(number) {
    const move = this.moves[number - 1];
    if (!move) return this._summary();
    const mark = this.marks[number - 1];
    const better = mark ? move.best.slice(0, NAMED) : [];
    return {
      headline: this._headline(move, mark, better),
      // The headline of a marked move has the cost already.
      sentences: move.phrases.filter(({ rule }) => !mark || rule !== "cost").map(said),
      outlook: outlook(move.after, this._players, this._unit),
      mark,
      better,
      line: !mark ? [] : move.line.length ? move.line : move.best.slice(0, 1),
      answer: mark ? move.answer : [],
    };
  }

  /**
   * @param {ReviewedMove} move
   * @param {Mark | null} mark
   * @param {number[]} better
   */
  _headline(move, mark, better) {
    const name = (/** @type {number} */ action) => this._names[action] ?? String(action);
    const edge = name(move.action);
    if (!move.best.length) return tr("{edge}: there was no choice.", { edge });
    if (mark) {
      const names = better.map(name).join(` ${tr("or")} `);
      return tr("{edge} cost {cost}. Better: {better}.", { edge, cost: mark.words, better: names });
    }
    if (move.best.includes(move.action) && move.every && move.best.length === 1) return tr("{edge} was the only best move.", { edge });
    if (move.sure || !isExact(move)) return tr("{edge}: no mistake was found.", { edge });
    return tr("{edge} was one of the best moves.", { edge });
  }

  /** @returns {Note} */
  _summary() {
    const count = this.mistakes.length;
    return {
      headline: count ? plural("1 mistake.", "{n} mistakes.", count) : tr("No mistake was found."),
      sentences: this.turning === null ? [] : [this.turningLine],
      outlook: this.values.length ? outlook(this.values[0], this._players, this._unit) : "",
      mark: null,
      better: [],
      line: [],
      answer: [],
    };
  }

  /**
   * Return how well a seat played, such as `92%`; empty if it had no choice.
   * @param {number} seat
   */
  accuracy(seat) {
    const percent = this._accuracy[seat];
    return percent === null || percent === undefined ? "" : `${Math.round(percent)}%`;
  }

  /** The turning point in a sentence; empty without one. */
  get turningLine() {
    if (this.turning === null) return "";
    const { seat, action } = this.moves[this.turning - 1];
    const values = { move: this.turning, name: this._players[seat], edge: this._names[action] };
    return this._sure
      ? tr("The game turned at move {move}: {name} {edge}.", values)
      : tr("The game probably turned at move {move}: {name} {edge}.", values);
  }

  /**
   * Return what a position is worth, for a table: `+3`, or `+1.4 ± 0.6`.
   * @param {number} ply
   */
  valueText(ply) {
    const value = this.values[ply];
    if (!value) return "";
    const { net, spread } = value;
    const digits = spread === 0 ? 0 : 1;
    const size = decimal(Math.abs(net), digits, digits);
    const sign = Number(Math.abs(net).toFixed(digits)) === 0 ? "" : net < 0 ? MINUS : "+";
    return `${sign}${size}${spread === 0 ? "" : ` ± ${decimal(spread, 1, 1)}`}`;
  }
}

/**
 * Return the mark of a move, or null if nothing certain was lost.
 * @param {ReviewedMove} move
 * @param {string} unit
 * @returns {Mark | null}
 */
function markOf(move, unit) {
  if (!move.sure || move.cost < LEAST) return null;
  const words = costWords(move, unit);
  if (!unit) {
    const steps = Math.round(2 * move.cost);
    return { text: "?".repeat(steps), tier: steps, words };
  }
  const count = Math.max(1, Math.round(move.cost));
  return { text: `${isExact(move) ? "" : "~"}${MINUS}${count}`, tier: Math.min(TIERS, count) - 1, words };
}

/**
 * What a game teaches a person. `moment` is the move that decided it (`decided`), or else the person's costliest one, if there
 * is either: the position after `moves`, in which `played` was played and `better` was the best move.
 * @typedef {{moves: number[], played: number, better: number, mark: Mark, decided: boolean}} Moment
 * @typedef {{text: string, moment: Moment | null}} Taught
 */

/**
 * Return what a game teaches the person in `seat`; the text is empty if nothing is known.
 * @param {ReviewReport} report
 * @param {number} seat
 * @param {{names: readonly string[], unit: string}} geometry
 * @param {readonly string[]} players
 * @returns {Taught}
 */
export function taught(report, seat, geometry, players) {
  const { verdicts, moves } = report;
  const { costliest, phrases } = verdicts?.[seat] ?? { costliest: null, phrases: [] };
  const { marks, turning, turningLine } = new Report(report, geometry, players);
  const momentOf = (/** @type {number | null} */ ply, /** @type {boolean} */ decided) => {
    const move = ply === null ? undefined : moves[ply];
    const mark = ply === null ? null : marks[ply];
    if (!move?.best.length || !mark) return null;
    return { moves: moves.slice(0, move.ply).map(({ action }) => action), played: move.action, better: move.best[0], mark, decided };
  };
  const decisive = momentOf(turning && turning - 1, true);
  const words = phrases.map(said).join(" ");
  // The words are about the person's costliest move, and one card speaks of one move.
  const better = decisive && tr("Better: {edge}.", { edge: geometry.names[decisive.better] });
  return {
    text: decisive ? `${turningLine} ${turning === (costliest ?? -1) + 1 ? words : better}` : words,
    moment: decisive ?? momentOf(costliest, false),
  };
}
