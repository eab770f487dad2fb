// Step through a finished game: the position shown, its two players, and the course of the game.

import { tr } from "../../texts.js";
import { marksOf } from "../room/words.js";
import { parseTime } from "../time.js";

/** @import { GameAnswer, GameGeometry, GamePosition } from "../../types/api.js" */
/** @typedef {{ply: number, name: string}} TurnMove the number of the move, from 1, and its name */
/** @typedef {{number: number, seat: number, moves: TurnMove[]}} Turn `number`: that of its first move */
/**
 * @typedef {object} ReviewPlayer what to show of one seat in the position shown
 * @property {number} seat
 * @property {string} name
 * @property {string} mark the text in the seat's cells
 * @property {string} engine
 * @property {number} score
 * @property {number | null} clock the milliseconds left; null: unknown
 * @property {boolean} toMove
 */

/** The seconds between two turns in automatic play. */
export const MOVE_S = 0.9;
/** The shorter time between two moves of one turn, in seconds. */
export const AGAIN_S = 0.4;

export class Review {
  /**
   * The review of `game`, whose `positions` are those after its opening and after each move.
   *
   * @param {GameAnswer} game
   * @param {GameGeometry} geometry
   * @param {GamePosition[]} positions
   * @param {import("../../app/catalogue.js").Offers} [offers] what the server tells of its positions
   */
  constructor(game, geometry, positions, offers = { features: false, policy: false }) {
    this.offers = offers;
    this.game = game;
    this.geometry = geometry;
    this.positions = positions;
    this.total = game.moves.length;
    this.ply = 0;
    /** Seat 0's score minus seat 1's after 0, 1, 2 ... moves. */
    this.nets = positions.map((each) => each.scores[0] - each.scores[1]);
    /** The seat of each move. */
    this.movers = positions.slice(0, -1).map((each) => /** @type {0 | 1} */ (each.to_move ?? 0));
    this.turns = turnsOf(game.moves, this.movers, geometry.names);
    /** The plies after which a turn ends, with 0 in front. */
    this.turnEnds = [0, ...this.turns.map((turn) => turn.moves[turn.moves.length - 1].ply)];
    /** Both clocks after 0, 1, 2 ... moves, in milliseconds; empty for a game without clocks. */
    this.clocks = clocksOf(game, this.movers);
    /** @type {[string, string]} */
    this.initials = marksOf(geometry, game.players[0], game.players[1]);
    /** @type {number | null} */
    this.nextAt = null;
    /** What the analysis says; null before it. @type {import("./report.js").Report | null} */
    this.report = null;
    /** The line that is shown instead of the game, or null. @type {import("./variation.js").Variation | null} */
    this.variation = null;
  }

  // -- stepping ------------------------------------------------------------------------------

  /**
   * Show the position after `ply` moves of the game, limited to its moves.
   * @param {number} ply
   */
  go(ply) {
    this.variation = null;
    this.ply = Math.min(Math.max(0, Math.trunc(ply) || 0), this.total);
  }

  /**
   * Go `by` moves forward in the game or the line shown, or back if negative.
   * @param {number} by
   */
  step(by) {
    const { variation } = this;
    if (variation) variation.go(variation.at + by);
    else this.go(this.ply + by);
  }

  /**
   * Go to the end of the game or the line shown (`by` > 0), or to its start.
   * @param {number} by
   */
  toEnd(by) {
    this.step(by > 0 ? Infinity : -Infinity);
  }

  /**
   * Show a line instead of the game.
   * @param {import("./variation.js").Variation} variation
   */
  enter(variation) {
    this.variation = variation;
  }

  /** Return from a line to the game, to where it was left; return false without a line. */
  leave() {
    const inside = this.variation !== null;
    this.variation = null;
    return inside;
  }

  /**
   * Go to the end of this turn (`by` > 0), or back to its beginning. At the beginning of a turn,
   * back leads to the beginning of the turn before.
   * @param {number} by
   */
  stepTurn(by) {
    const ends = this.turnEnds;
    if (this.variation) this.variation.stepTurn(by);
    else if (by > 0) this.go(ends.find((end) => end > this.ply) ?? this.total);
    else this.go(ends.filter((end) => end < this.ply).pop() ?? 0);
  }

  // -- automatic play ------------------------------------------------------------------------

  get playing() {
    return this.nextAt !== null;
  }

  /**
   * Start automatic play at `now`, in seconds; at the end of the game or the line, from its beginning.
   * @param {number} now
   */
  play(now) {
    if (this.atEnd) this.toEnd(-1);
    this.nextAt = this.atEnd ? null : now + AGAIN_S;
  }

  /** Stop automatic play. */
  stop() {
    this.nextAt = null;
  }

  /**
   * Play the next move if it is due at `now`, in seconds; return whether it was.
   * @param {number} now
   */
  tick(now) {
    if (this.nextAt === null || now < this.nextAt) return false;
    this.step(1);
    const { movers, at } = this.track;
    const usual = movers[at] === movers[at - 1] ? AGAIN_S : MOVE_S;
    this.nextAt = this.atEnd ? null : now + usual;
    return true;
  }

  /** The game or the line shown: the seats of its moves, and how many of them are shown. */
  get track() {
    const { movers, ply, total } = this;
    return this.variation ?? { movers, at: ply, total };
  }

  /** Whether the start of the game or the line is shown. */
  get atStart() {
    return this.track.at === 0;
  }

  /** Whether the end of the game or the line is shown. */
  get atEnd() {
    return this.track.at === this.track.total;
  }

  // -- the position --------------------------------------------------------------------------

  /** The moves that lead to the position shown, without the opening. */
  get moves() {
    const { game, ply, variation } = this;
    if (variation === null) return game.moves.slice(0, ply);
    return [...game.moves.slice(0, variation.from), ...variation.actions.slice(0, variation.at)];
  }

  /** What the server says of the position shown, and of the one before. */
  get _shown() {
    const { positions, ply, variation } = this;
    if (variation === null) return { at: positions[ply], before: positions[ply - 1] };
    const { at, from } = variation;
    const before = at ? variation.positions[at - 1] : positions[from - 1];
    return { at: variation.position, before };
  }

  /** The seat to move in the position shown; null: the game is over. */
  get toMove() {
    const { variation, ply, total, movers } = this;
    if (variation) return /** @type {0 | 1 | null} */ (variation.position.to_move);
    return ply < total ? movers[ply] : null;
  }

  /** The position shown, as the board draws it. */
  get position() {
    const { game, ply, moves, variation } = this;
    const { at, before } = this._shown;
    const drawers = variation
      ? [...this.movers.slice(0, variation.from), ...variation.movers.slice(0, variation.at)]
      : this.movers.slice(0, ply);
    return {
      cells: at.cells,
      before: before?.cells,
      winning: at.winning,
      played: [...game.opening, ...moves],
      drawers: [...game.opening.map(() => null), ...drawers],
      last: moves.at(-1) ?? null,
      toMove: this.toMove,
      legal: at.legal,
    };
  }

  /** Whether the last move shown scored. */
  get scored() {
    const { at, before } = this._shown;
    return before !== undefined && before.scores.some((score, seat) => score !== at.scores[seat]);
  }

  /** The place in the game: `Move 7 of 40: Ann c4`, or in the line that is shown instead. */
  get line() {
    const { ply, variation, game } = this;
    const at = this.track.at;
    if (variation && !at) return tr("{line}: before its first move", { line: variation.title });
    if (!at) return game.opening.length ? tr("After the opening") : tr("Start");
    const name = game.players[this.track.movers[at - 1]];
    const edge = this.geometry.names[this.moves[this.moves.length - 1]];
    if (variation) {
      const { title: line, total } = variation;
      return tr("{line}, move {number} of {total}: {name} {edge}", { line, number: at, total, name, edge });
    }
    return tr("Move {number} of {total}: {name} {edge}", { number: ply, total: this.total, name, edge });
  }

  /**
   * Return what to show of `seat`.
   * @param {number} seat
   * @returns {ReviewPlayer}
   */
  player(seat) {
    const { game, ply } = this;
    const left = this.clocks.length ? this.clocks[ply][seat] : null;
    return {
      seat,
      name: game.players[seat],
      mark: this.initials[seat],
      engine: game.engines[seat],
      score: this._shown.at.scores[seat],
      clock: this.variation ? null : left,
      toMove: this.toMove === seat,
    };
  }

  /** The line of a score: `Ann leads by 3`, for those who do not see the curve. */
  get lead() {
    const [first, second] = this._shown.at.scores;
    const net = first - second;
    if (!net) return tr("The score is level.");
    return tr("{name} leads by {lead}.", { name: this.game.players[net > 0 ? 0 : 1], lead: Math.abs(net) });
  }
}

/**
 * @param {number[]} moves
 * @param {number[]} movers
 * @param {string[]} names
 * @returns {Turn[]}
 */
function turnsOf(moves, movers, names) {
  /** @type {Turn[]} */
  const turns = [];
  for (const [at, action] of moves.entries()) {
    const seat = movers[at];
    let turn = turns[turns.length - 1];
    if (turn === undefined || turn.seat !== seat) {
      turn = { number: at + 1, seat, moves: [] };
      turns.push(turn);
    }
    turn.moves.push({ ply: at + 1, name: names[action] ?? String(action) });
  }
  return turns;
}

/**
 * @param {GameAnswer} game
 * @param {number[]} movers
 * @returns {[number | null, number | null][]}
 */
function clocksOf(game, movers) {
  if (game.clock_ms.every((left) => left === null)) return [];
  const time = parseTime(game.time_control);
  const base = typeof time === "string" ? null : time.base_ms ?? null;
  /** @type {[number | null, number | null]} */
  let clocks = [base, base];
  const found = [clocks];
  for (const [at, left] of game.clock_ms.entries()) {
    clocks = [clocks[0], clocks[1]];
    if (left !== null) clocks[movers[at]] = left;
    found.push(clocks);
  }
  return found;
}
