// The moves of an analysis board: a main line, and branches that leave it. A branch has no branches: a move inside of one
// that differs makes another branch, with the same moves in front.

/** @typedef {{from: number, moves: readonly number[]}} Branch `from`: how many moves of the main line come first */

export class Tree {
  /** @type {readonly Branch[]} */
  branches = [];
  /** The branch that is shown, or null: the main line. @type {number | null} */
  branch = null;

  /** @param {readonly number[]} main */
  constructor(main) {
    this.main = main;
    /** How many moves are shown. */
    this.at = main.length;
  }

  /**
   * Take branches and a place from an address; wrong ones are left out.
   * @param {{branch: number | null, at: number | null, branches: readonly Branch[]}} found
   */
  restore({ branch, at, branches }) {
    this.branches = branches.filter(({ from, moves }) => from <= this.main.length && moves.length > 0);
    this.go(branch !== null && branch in this.branches ? branch : null, at ?? Infinity);
  }

  /** All moves of the line that is shown. */
  get line() {
    if (this.branch === null) return this.main;
    const { from, moves } = this.branches[this.branch];
    return [...this.main.slice(0, from), ...moves];
  }

  /** The moves that are shown. */
  get moves() {
    return this.line.slice(0, this.at);
  }

  /**
   * @param {number | null} branch
   * @param {number} at
   */
  go(branch, at) {
    this.branch = branch;
    this.at = Math.min(Math.max(0, at), this.line.length);
  }

  /** @param {number} by */
  step(by) {
    this.go(this.branch, this.at + by);
  }

  /**
   * Play a move: go on in the line, or in a branch that begins so, or make one.
   * @param {number} action
   */
  play(action) {
    const { line, at, branch, branches } = this;
    if (line[at] === action) return this.step(1);
    if (at === line.length) {
      if (branch === null) this.main = [...this.main, action];
      else this.branches = branches.map((each, index) => (index === branch ? { ...each, moves: [...each.moves, action] } : each));
      return this.step(1);
    }
    if (this.main[at] === action && this.#onMain) return this.go(null, at + 1);
    const from = this.#onMain ? at : branches[/** @type {number} */ (branch)].from;
    const moves = [...line.slice(from, at), action];
    const known = branches.findIndex((each) => each.from === from && moves.every((move, index) => move === each.moves[index]));
    if (known < 0) this.branches = [...branches, { from, moves }];
    this.go(known < 0 ? branches.length : known, at + 1);
  }

  /** Whether the position shown belongs to the main line. */
  get #onMain() {
    return this.branch === null || this.at <= this.branches[this.branch].from;
  }

  /**
   * Play moves one after the other, and go back to before the first.
   * @param {readonly number[]} moves
   */
  add(moves) {
    const { at } = this;
    for (const action of moves) this.play(action);
    this.go(this.branch, at);
  }

  /** Delete the branch that is shown, or what follows in the main line, or its last move. */
  cut() {
    const { branch, at, main } = this;
    if (branch === null) {
      const length = Math.min(at, main.length - 1);
      this.main = main.slice(0, Math.max(0, length));
      this.branches = this.branches.filter(({ from }) => from <= this.main.length);
      this.go(null, this.main.length);
    } else {
      const { from } = this.branches[branch];
      this.branches = this.branches.filter((_, index) => index !== branch);
      this.go(null, from);
    }
  }
}
