// Keep the move that a person has chosen for their next turn while the opponent thinks.

/** @typedef {import("./model.js").RoomModel} RoomModel */

/**
 * At most one chosen move in the room of `model`; `action` is null without one. `on` is the person's
 * setting. A premove is dropped with its match and after a takeback.
 */
export class Premove {
  /** @param {RoomModel} model */
  constructor(model) {
    this._model = model;
    this.on = false;
    /** @type {number | null} */
    this.action = null;
    this._chosenIn = "";
  }

  /** Whether a move can be chosen now: only the opponent of one person at this page is to move. */
  get possible() {
    const { playing, seats, toMove, pending, viewing } = this._model;
    const waits = playing && seats.only !== null && toMove !== null && !seats.has(toMove);
    return this.on && waits && pending.order === null && viewing === null;
  }

  /**
   * Choose `action`, or drop it if it was chosen; return false if that is impossible now.
   *
   * @param {number} action
   */
  choose(action) {
    if (!this.possible || this._model.mirror.board.legal[action] !== "1") return false;
    this.action = action === this.action ? null : action;
    this._chosenIn = this._now;
    return true;
  }

  /**
   * Return the chosen action, and forget it, if its turn has come; otherwise null. Call this after
   * each update of the room. The action may have become illegal meanwhile.
   */
  due() {
    const { playing, myTurn } = this._model;
    if (!this.on || !playing || this._chosenIn !== this._now) this.action = null;
    const { action } = this;
    if (action === null || !myTurn) return null;
    this.action = null;
    return action;
  }

  get _now() {
    const { match, takebacks } = this._model.mirror;
    return `${match} ${takebacks}`;
  }
}
