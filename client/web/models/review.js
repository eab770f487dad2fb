// Step through a finished game: the position shown, its two players, and the course of the game.

import { parseTime } from "./time.js";
import { marksOf } from "./room/words.js";

/** @typedef {import("../types/api.js").GameAnswer} GameAnswer */
/** @typedef {import("../types/api.js").GameGeometry} GameGeometry */
/** @typedef {import("../types/api.js").GamePosition} GamePosition */
/** @typedef {{ply: number, name: string}} TurnMove the number of the move, from 1, and its name */
/** @typedef {{number: number, seat: number, moves: TurnMove[]}} Turn */
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
   * @param {import("../app/catalogue.js").Offers} [offers] what the server tells of its positions
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
  }

  // -- stepping ------------------------------------------------------------------------------

  /**
   * Show the position after `ply` moves, limited to the moves of the game.
   * @param {number} ply
   */
  go(ply) {
    this.ply = Math.min(Math.max(0, Math.trunc(ply) || 0), this.total);
  }

  /**
   * Go `by` moves forward, or back if negative.
   * @param {number} by
   */
  step(by) {
    this.go(this.ply + by);
  }

  /**
   * Go to the end of this turn (`by` > 0), or back to its beginning. At the beginning of a turn,
   * back leads to the beginning of the turn before.
   * @param {number} by
   */
  stepTurn(by) {
    const ends = this.turnEnds;
    if (by > 0) this.go(ends.find((end) => end > this.ply) ?? this.total);
    else this.go(ends.filter((end) => end < this.ply).pop() ?? 0);
  }

  // -- automatic play ------------------------------------------------------------------------

  get playing() {
    return this.nextAt !== null;
  }

  /**
   * Start automatic play at `now`, in seconds; at the end of the game, from its beginning.
   * @param {number} now
   */
  play(now) {
    if (this.ply === this.total) this.go(0);
    this.nextAt = this.total ? now + AGAIN_S : null;
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
    const again = this.movers[this.ply] === this.movers[this.ply - 1];
    this.nextAt = this.ply === this.total ? null : now + (again ? AGAIN_S : MOVE_S);
    return true;
  }

  // -- the position --------------------------------------------------------------------------

  /** The position shown, as the board draws it. */
  get position() {
    const { game, ply } = this;
    const at = this.positions[ply];
    return {
      cells: at.cells,
      before: this.positions[ply - 1]?.cells,
      winning: at.winning,
      played: [...game.opening, ...game.moves.slice(0, ply)],
      drawers: [...game.opening.map(() => null), ...this.movers.slice(0, ply)],
      last: ply ? game.moves[ply - 1] : null,
      toMove: ply < this.total ? this.movers[ply] : null,
      legal: at.legal,
    };
  }

  /** Whether the last move shown scored. */
  get scored() {
    return this.ply > 0 && this.nets[this.ply] !== this.nets[this.ply - 1];
  }

  /** The place in the game: `Move 7 of 40: Ann c4`. */
  get line() {
    const { ply } = this;
    if (!ply) return this.game.opening.length ? "After the opening" : "Start";
    const name = this.game.players[this.movers[ply - 1]];
    return `Move ${ply} of ${this.total}: ${name} ${this.geometry.names[this.game.moves[ply - 1]]}`;
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
      score: this.positions[ply].scores[seat],
      clock: left,
      toMove: ply < this.total && this.movers[ply] === seat,
    };
  }

  /** The line of a score: `Ann leads by 3`, for those who do not see the curve. */
  get lead() {
    const net = this.nets[this.ply];
    if (!net) return "The score is level.";
    return `${this.game.players[net > 0 ? 0 : 1]} leads by ${Math.abs(net)}.`;
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
      turn = { number: turns.length + 1, seat, moves: [] };
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
