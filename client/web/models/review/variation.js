// A line of moves that was not played, and the positions along it.

import { tr } from "../../texts.js";

/** @typedef {import("../../types/api.js").GamePosition} GamePosition */

export class Variation {
  /**
   * `which` is the better line, or the reply to a move. It begins after `from` moves of the game; `positions` are those before and
   * after each of its `actions`.
   *
   * @param {"line" | "answer"} which
   * @param {number} from
   * @param {readonly number[]} actions
   * @param {readonly GamePosition[]} positions one more than actions
   */
  constructor(which, from, actions, positions) {
    this.which = which;
    this.title = which === "line" ? tr("Better line") : tr("The reply");
    this.from = from;
    this.actions = actions;
    this.positions = positions;
    this.total = actions.length;
    /** How many of the actions are shown. */
    this.at = Math.min(1, this.total);
    /** The seat of each action. */
    this.movers = positions.slice(0, -1).map((each) => /** @type {0 | 1} */ (each.to_move ?? 0));
  }

  /** @param {number} at */
  go(at) {
    this.at = Math.min(Math.max(0, at), this.total);
  }

  /**
   * Go to the end of this turn (`by` > 0), or to its beginning.
   * @param {number} by
   */
  stepTurn(by) {
    const { movers } = this;
    let at = this.at;
    const turns = (/** @type {number} */ place) => movers[place] !== movers[place - 1];
    do at += Math.sign(by);
    while (at > 0 && at < this.total && !turns(at));
    this.go(at);
  }

  /** The position shown. */
  get position() {
    return this.positions[this.at];
  }
}
