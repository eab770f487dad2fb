// Keep the positions of a match by ply, so that a person can step back through them.

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/**
 * The position after some moves. `seat` is the seat to move, or null when the game is over.
 *
 * @typedef {{cells: string, winning: readonly number[], scores: readonly number[],
 *   toMove: number | null}} Place
 */

/**
 * One turn; `number` is that of its first move, from 1. Each move has the ply after it and its action.
 *
 * @typedef {{number: number, seat: number, moves: {ply: number, action: number}[]}} Turn
 */

/**
 * The positions of the current match of a room. The page knows no rules, so it keeps the boards
 * that the server sends with each move, and asks for those before (`missing`).
 */
export class History {
  constructor() {
    /** @type {number | null} */
    this._match = null;
    /** @type {readonly number[]} */
    this._moves = [];
    /** @type {(Place | undefined)[]} */
    this._places = [];
  }

  /** The number of moves. */
  get total() {
    return this._moves.length;
  }

  /**
   * Note the present position of the room; return whether its moves have changed.
   *
   * @param {RoomMirror} mirror
   */
  take(mirror) {
    const moves = mirror.moves;
    const before = this._moves;
    const same = mirror.match === this._match;
    // The moves that stay, if some were taken back.
    let stay = 0;
    while (same && stay < before.length && before[stay] === moves[stay]) stay++;
    if (!same) this._places = [];
    else this._places.length = Math.min(this._places.length, stay + 1);
    const changed = !same || stay < before.length || stay < moves.length;
    this._match = mirror.match;
    if (changed) this._moves = [...moves];
    // The moves of a start come without positions; only the last of them has one.
    if (moves.length < mirror.settings.start.length) return changed;
    const { cells, winning } = mirror.board;
    const [first, second] = mirror.scores;
    this._places[moves.length] = { cells, winning, scores: [first, second], toMove: mirror.toMove };
    return changed;
  }

  /** Whether positions of earlier plies are unknown. */
  get missing() {
    for (let ply = 0; ply < this._moves.length; ply++) if (!this._places[ply]) return true;
    return false;
  }

  /**
   * Take the positions of plies 0 to n after the first n moves, if these moves are still the match's.
   *
   * @param {number} match
   * @param {readonly number[]} moves
   * @param {readonly {cells: string, winning: readonly number[], scores: readonly number[],
   *   to_move: number | null}[]} positions
   */
  fill(match, moves, positions) {
    const same = match === this._match && moves.every((action, at) => this._moves[at] === action);
    if (!same) return false;
    positions.forEach(({ cells, winning, scores, to_move }, ply) => {
      this._places[ply] ??= { cells, winning, scores, toMove: to_move };
    });
    return true;
  }

  /**
   * Return the position after `ply` moves, or null if it is unknown.
   *
   * @param {number} ply
   */
  at(ply) {
    return this._places[ply] ?? null;
  }

  /**
   * Return the seat that made move number `ply`, counted from 1, or null if it is unknown.
   *
   * @param {number} ply
   */
  mover(ply) {
    return this._places[ply - 1]?.toMove ?? null;
  }

  /** The moves by turn; moves whose seat is unknown are left out. */
  get turns() {
    /** @type {Turn[]} */
    const turns = [];
    this._moves.forEach((action, at) => {
      const seat = this.mover(at + 1);
      if (seat === null) return;
      const last = turns.at(-1);
      const move = { ply: at + 1, action };
      if (last !== undefined && last.seat === seat) last.moves.push(move);
      else turns.push({ number: move.ply, seat, moves: [move] });
    });
    return turns;
  }

  /**
   * Return the end of the last turn that ends before `ply`, as a ply; 0 without one.
   *
   * @param {number} ply
   */
  turnBefore(ply) {
    return this._ends().findLast((end) => end < ply) ?? 0;
  }

  /**
   * Return the end of the first turn that ends after `ply`, as a ply.
   *
   * @param {number} ply
   */
  turnAfter(ply) {
    return this._ends().find((end) => end > ply) ?? this.total;
  }

  _ends() {
    return this.turns.map((turn) => turn.moves[turn.moves.length - 1].ply);
  }
}
