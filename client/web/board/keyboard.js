// Play with the keyboard: arrows select an action, Enter or space plays it.

import { tr } from "../texts.js";
import { describeAction, nounOf } from "./describe.js";
import { shareOf } from "./heat.js";

/** @import { BoardControl } from "./control.js" */

/** @type {Readonly<Record<string, readonly [number, number]>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const CANNOT = {
  edge: tr("The edge {name} cannot be played. Use the arrows."),
  object: tr("The object {name} cannot be played. Use the arrows."),
  column: tr("The column {name} cannot be played. Use the arrows."),
  cell: tr("The cell {name} cannot be played. Use the arrows."),
};

export class BoardKeyboard {
  /**
   * @param {HTMLElement} face
   * @param {BoardControl} board
   * @param {() => void} onChange called when the selected action has changed
   */
  constructor(face, board, onChange) {
    this._face = face;
    this._board = board;
    this._onChange = onChange;
    /** @type {number | null} */
    this.selected = null;
    /** Whether the keyboard, not a pointer, was used last, and the board has the focus. */
    this._active = false;
    /** Whether the latest key was Tab. */
    this._tabbed = false;
    const stop = new AbortController();
    const { signal } = stop;
    face.addEventListener("keydown", (event) => this._press(event), { signal });
    face.addEventListener("focus", () => this._enter(), { signal });
    const press = (/** @type {KeyboardEvent} */ event) => void (this._tabbed = event.key === "Tab");
    document.addEventListener("keydown", press, true);
    face.addEventListener("blur", () => this.hide(), { signal });
    /** Stop listening. */
    this.close = () => {
      stop.abort();
      document.removeEventListener("keydown", press, true);
    };
  }

  /** The action to mark, or null. */
  get shown() {
    return this._active ? this.selected : null;
  }

  /** What to tell about the selected action, or "". */
  get text() {
    const action = this.shown;
    const { position, seats, heat } = this._board.props;
    if (action === null) return "";
    const share = shareOf(heat, action);
    return describeAction(this._board.view.places, position, seats, action) + (share && `, ${tr("network {share}", { share })}`);
  }

  /** Hide the mark, because a pointer is used. */
  hide() {
    if (!this._active) return;
    this._active = false;
    this._board.paintMarks();
    this._onChange();
  }

  _enter() {
    // A script moves the focus here after loading, when nobody has asked for the mark.
    if (this._tabbed && this._face.matches(":focus-visible")) this._show();
  }

  _show() {
    const { legal } = this._board.props.position;
    this._active = true;
    if (this.selected === null) this.selected = this._board.view.places.step(legal, null, 0, 0);
    if (this.selected !== null) this._board.reveal(this.selected);
    this._board.paintMarks();
    this._onChange();
  }

  /** @param {KeyboardEvent} event */
  _press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const arrow = ARROWS[event.key];
    const { places } = this._board.view;
    const { legal } = this._board.props.position;
    if (arrow) {
      // While the mark is hidden, the first key only shows it: nobody saw where it was.
      if (this._active) this.selected = places.step(legal, this.selected, ...arrow);
      this._show();
    } else if (event.key === "Home" || event.key === "End") {
      this.selected = places.outermost(legal, event.key === "End") ?? this.selected;
      this._show();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this._active) this._play();
      else this._show();
    } else if (event.key === "Escape" && this._board.chosen !== null) {
      this._board.cancel();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _play() {
    const action = this.selected;
    if (action === null || this._board.play(action)) return;
    const { geometry, position, pending = null, seat = null, say } = this._board.props;
    const name = geometry.names[action];
    if (pending !== null) say?.(tr("Your move is on its way."));
    else if (!position.legal.includes("1")) say?.(tr("There is no move to play now."));
    else if (seat !== null && position.toMove !== seat) say?.(tr("It is not your turn."));
    else if (position.legal[action] !== "1") say?.(tr(CANNOT[nounOf(geometry)], { name }));
  }
}
