// Join the parts of a board that a person plays on: pointer, keyboard, preview and confirmation.

import { BoardKeyboard } from "./keyboard.js";
import { clamp } from "./layout.js";
import { BoardLens } from "./lens.js";
import { BoardMarks } from "./marks.js";
import { BoardHeat } from "./heat.js";
import { BoardOverlay } from "./overlay.js";
import { BoardPointer } from "./pointer.js";
import { BoardView } from "./view.js";

/** @import { BoardProps, Point } from "./types" */

/** Edges shorter than this on the screen, in pixels, are hard to hit with a finger. */
export const SMALL_PX = 44;
/** A board is magnified at most so far, in pixels of a board unit, and in steps of this factor. */
const LARGEST_PX = 96;
const STEP = 1.6;
/** How long a move blocks others until its owner shows it as pending, in milliseconds. */
const SENT_MS = 1000;

export class BoardControl {
  /**
   * @param {HTMLElement} face
   * @param {SVGSVGElement} svg
   * @param {BoardProps} props
   * @param {() => void} onChange called when what is chosen or magnified has changed
   */
  constructor(face, svg, props, onChange) {
    this.props = props;
    this.view = new BoardView(svg, props.geometry);
    this.marks = new BoardMarks(this.view);
    this.overlay = new BoardOverlay(this.view);
    this.heat = new BoardHeat(this.view);
    this._layer = props.layer && new props.layer.maker(this.view);
    this._lens = new BoardLens(face, this.view);
    this._face = face;
    this._onChange = onChange;
    /** @type {number | null} The action under the pointer. */
    this.hovered = null;
    /** @type {number | null} The action that a first tap has chosen, and a second one plays. */
    this.chosen = null;
    /** @type {Point | null} Where the mouse rests, in pixels. */
    this._mouse = null;
    /** @type {Point} Where a pointer was last. */
    this._at = [0, 0];
    this._sentAt = -Infinity;
    this._rim = false;
    const plays = props.mode !== "watch" && props.mode !== "still";
    this.keyboard = plays ? new BoardKeyboard(face, this, onChange) : null;
    this.pointer = plays ? new BoardPointer(face, this._pointerTarget()) : null;
  }

  /** Remove all listeners. */
  close() {
    this.keyboard?.close();
    this.pointer?.close();
  }

  /** Whether this player may move now. */
  get playable() {
    const { mode = "play", pending = null, position, seat = null, early } = this.props;
    return (
      mode === "play" &&
      pending === null &&
      performance.now() - this._sentAt > SENT_MS &&
      position.legal.includes("1") &&
      (early === true || seat === null || seat === position.toMove)
    );
  }

  /** Whether a tap on an edge is likely to miss it. */
  get small() {
    return this.view.unit < SMALL_PX;
  }

  /** Whether magnifying makes edges easier to hit. */
  get dense() {
    return this.view.layout.unit < SMALL_PX;
  }

  /** Whether the board cannot be magnified any more. */
  get largest() {
    return this.view.unit > 0.95 * LARGEST_PX;
  }

  /**
   * Show new properties of the same geometry.
   * @param {BoardProps} props
   * @param {boolean} quiet whether to skip the animation
   */
  update(props, quiet) {
    const before = this.props;
    this.props = props;
    const { position, pending = null, hint = null, seat = null, geometry, seats } = props;
    if (before.position !== position || ((before.pending ?? null) !== null && pending === null))
      this._sentAt = -Infinity;
    if (before.position !== position) this.chosen = null;
    const signs =
      geometry.pieces === "fill"
        ? /** @type {const} */ ([seats[0].initial, seats[1].initial])
        : geometry.seat_names;
    const now = quiet ? null : performance.now();
    if ((props.rim === true) !== this._rim) void this._showRim();
    this.view.show(position, signs, pending, seat ?? position.toMove, now);
    if (this._mouse !== null) this.hovered = this._actionAt(this._mouse, "mouse");
    else if (this.hovered !== null && position.legal[this.hovered] !== "1") this.hovered = null;
    this.marks.hint(position, hint);
    this.heat.show(props.heat ?? null);
    this.overlay.show(props.features ?? null);
    this._layer?.show(props.layer?.data);
    this.paintMarks();
  }

  /** Show the rim, whose code loads when it is wanted, or hide it. */
  async _showRim() {
    this._rim = this.props.rim === true;
    const maker = this._rim ? await import("./rim.js") : null;
    // The person may have switched it off again meanwhile.
    if (this._rim !== (maker !== null)) return;
    this.view.setRim(maker);
    this.resize(this.view.layout.width, this.view.layout.height);
  }

  /** Draw the preview and the keyboard's mark again. */
  paintMarks() {
    const { position, seat = null } = this.props;
    const shown = this.playable ? (this.hovered ?? this.chosen) : null;
    this.marks.hover(position, shown, seat ?? position.toMove, shown !== null && shown === this.chosen);
    this.marks.early(position, this.props.premove ?? null, seat);
    const focused = this.keyboard?.shown ?? null;
    this.marks.focus(position, focused);
    this.heat.number(focused ?? this.hovered);
    this._face.classList.toggle("can-play", shown !== null);
    // After the game, a finger on the board scrolls the page.
    this._face.classList.toggle("in-play", position.legal.includes("1"));
  }

  /**
   * Fit the board into its element.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.view.resize(width, height);
    if (!this.dense && this.view.zoom.times > 1) this.view.magnify(1, 0, 0);
    this.overlay.show(this.props.features ?? null);
    this.paintMarks();
  }

  /**
   * Play an action. Return whether it was accepted.
   * @param {number} action
   */
  play(action) {
    if (!this.playable || this.props.position.legal[action] !== "1") return false;
    this.chosen = null;
    this.hovered = null;
    if (this.props.early !== true) this._sentAt = performance.now();
    this.props.onPlay?.(action);
    this.paintMarks();
    this._onChange();
    return true;
  }

  /** Forget the action that a tap has chosen. */
  cancel() {
    this.hovered = null;
    this.choose(null);
  }

  /**
   * Ask for a second tap on an action.
   * @param {number | null} action
   */
  choose(action) {
    this.chosen = action;
    this.paintMarks();
    this._onChange();
  }

  /**
   * Magnify by steps: positive numbers enlarge.
   * @param {number} steps
   */
  magnify(steps) {
    const { x, y } = this.view.zoom;
    this._magnify(this.view.zoom.times * STEP ** steps, x, y);
  }

  /**
   * Move a magnified board so that an action is visible.
   * @param {number} action
   */
  reveal(action) {
    const middle = this.view.places.middles.get(action);
    if (middle === undefined || this.view.zoom.times === 1) return;
    this._magnify(this.view.zoom.times, ...middle);
  }

  /**
   * @param {number} times
   * @param {number} x
   * @param {number} y
   */
  _magnify(times, x, y) {
    const most = Math.max(1, LARGEST_PX / this.view.layout.unit);
    const chosen = clamp(times, 1, most);
    this.view.magnify(chosen < 1.05 ? 1 : chosen, x, y);
    this.overlay.show(this.props.features ?? null);
    this.paintMarks();
    this._onChange();
  }

  /** @returns {import("./pointer.js").PointerTarget} */
  _pointerTarget() {
    const { view } = this;
    return {
      select: (at, kind) => this._select(at, kind),
      clear: () => {
        this._lens.hide();
        this._hover(null);
      },
      choose: (kind) => this._release(kind),
      magnified: () => view.zoom.times > 1,
      pan: (dx, dy) => {
        const { times, x, y } = view.zoom;
        if (times > 1) this._magnify(times, x - dx / view.unit, y - dy / view.unit);
      },
      pinch: (factor, at) => {
        if (!this.dense) return;
        const [px, py] = view.pointAt(...at);
        const { times, x, y } = view.zoom;
        this._magnify(times * factor, px + (x - px) / factor, py + (y - py) / factor);
      },
      press: () => this.keyboard?.hide(),
      look: (at) => {
        this._mouse = at;
        this.overlay.expand(at && view.places.cellAt(...view.pointAt(...at)));
      },
    };
  }

  /**
   * @param {Point} at
   * @param {"mouse" | "touch"} kind
   */
  _select(at, kind) {
    if (kind === "touch") this._mouse = null;
    this._at = at;
    if (kind === "touch" && this.small && this.playable) this._lens.show(at);
    this._hover(this._actionAt(at, kind));
  }

  /**
   * Return the action that a pointer at a pixel selects, or null.
   * @param {Point} at
   * @param {"mouse" | "touch"} kind
   */
  _actionAt(at, kind) {
    if (!this.playable) return null;
    const [x, y] = this.view.pointAt(...at);
    const { legal } = this.props.position;
    return this.view.places.actionAt(x, y, legal, kind, this.hovered ?? this.chosen);
  }

  /** @param {number | null} action */
  _hover(action) {
    if (action === this.hovered) return;
    this.hovered = action;
    this.paintMarks();
  }

  /**
   * @param {"mouse" | "touch"} kind
   * @returns {boolean}
   */
  _release(kind) {
    this._lens.hide();
    const action = this.hovered;
    if (action === null) {
      if (this.chosen !== null) this.choose(null);
      return false;
    }
    const asks = kind === "touch" && this.props.confirmTaps === true && this.small;
    if (asks && action !== this.chosen) {
      this.hovered = null;
      this.choose(action);
      return false;
    }
    this.view.touched(action, this.view.pointAt(...this._at));
    return this.play(action);
  }
}
