// Conditional moves while a person plans them: the lines so far, and one that is being played out.

/** @typedef {import("../../types/api.js").GamePosition} GamePosition */
/** @typedef {readonly number[]} Line */

/** The limits of `set_plan` in the protocol. */
export const MOST_LINES = 30;
export const MOST_PLIES = 20;

/** A draft. The page knows no rules, so the positions along the line come from the server. */
export class PlanDraft {
  /**
   * @param {number} seat of this person
   * @param {readonly Line[]} lines
   */
  constructor(seat, lines) {
    this.seat = seat;
    this.lines = lines;
    /** @type {Line} */
    this.line = [];
    /** Those before and after each action of `line`. @type {readonly GamePosition[]} */
    this.positions = [];
    /** The seat of each move of the match and of the line. @type {readonly (number | null)[]} */
    this.movers = [];
    this.changed = false;
  }

  /**
   * Take all positions of the match and of the line, of which the first `before` are earlier ones.
   * @param {readonly GamePosition[]} positions
   * @param {number} before
   */
  take(positions, before) {
    this.movers = positions.map((each) => each.to_move);
    this.positions = positions.slice(before);
  }

  /** The last of the positions; undefined while the server is asked for it. */
  get position() {
    return this.positions[this.line.length];
  }

  /** Whose move comes next in the line; null after the end of the game, or while that is unknown. */
  get toMove() {
    return this.position?.to_move ?? null;
  }

  /** Whether another move can be added to the line. */
  get open() {
    return this.toMove !== null && this.line.length < MOST_PLIES;
  }

  /** What can be kept of the line: it ends with a move of this person. */
  get complete() {
    let { length } = this.line;
    while (length > 0 && this.positions[length - 1]?.to_move !== this.seat) length -= 1;
    return this.line.slice(0, length);
  }

  /** Whether the line can be added. */
  get addable() {
    const { complete } = this;
    return this.position !== undefined && complete.length > 0 && !this.lines.some((each) => begins(each, complete));
  }

  /**
   * Add a move to the line.
   * @param {number} action
   */
  play(action) {
    if (this.open && this.position?.legal[action] === "1") this.line = [...this.line, action];
  }

  /** Take the last move of the line away. */
  back() {
    this.line = this.line.slice(0, -1);
  }

  /**
   * Go on with a line of the plan, or with a new one.
   * @param {Line} [line]
   */
  show(line = []) {
    this.line = line;
    this.positions = [];
  }

  /**
   * Add the line to the plan. It takes the place of those that it continues, and of those that answer the same moves in
   * another way. Return whether there was a place for it.
   */
  add() {
    const { complete, positions, seat } = this;
    const kept = this.lines.filter((each) => {
      let at = 0;
      while (at < complete.length && each[at] === complete[at]) at += 1;
      return at < complete.length && at < each.length && positions[at].to_move !== seat;
    });
    if (kept.length >= MOST_LINES) return false;
    this.lines = [...kept, complete];
    this.changed = true;
    this.show();
    return true;
  }

  /** @param {number} index */
  remove(index) {
    this.lines = this.lines.filter((_, at) => at !== index);
    this.changed = true;
  }
}

/**
 * @param {Line} line
 * @param {Line} start
 */
function begins(line, start) {
  return start.every((action, at) => line[at] === action);
}
