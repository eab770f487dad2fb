// Follow mouse, fingers and pen over a board: preview, choose, pan and pinch.
//
// A mouse or finger selects while it is down, and its release plays what is selected then. Leaving
// the board cancels. On a magnified board one finger moves the board instead, and two fingers
// magnify it and move it at any time.

/** @import { Point } from "./types" */

/** A finger that moves farther than this, in pixels, moves a magnified board instead of tapping. */
const DRAG_PX = 10;
/** How far beyond the border a finger still counts as on the board, in pixels. */
const RIM_PX = 24;
/** A tap this soon (in milliseconds) and this near (in pixels) after a move is part of a double tap. */
const DOUBLE_MS = 450;
const DOUBLE_PX = 22;

/**
 * What the board offers to the pointer.
 * @typedef {object} PointerTarget
 * @property {() => void} press note that a pointer, not the keyboard, is used now
 * @property {(at: Point, kind: "mouse" | "touch") => void} select preview the action at a pixel
 * @property {() => void} clear remove the preview
 * @property {(kind: "mouse" | "touch") => boolean} choose play what is previewed; return whether it was
 * @property {() => boolean} magnified
 * @property {(dx: number, dy: number) => void} pan by pixels
 * @property {(factor: number, at: Point) => void} pinch around a pixel
 * @property {(at: Point | null) => void} look tell where the mouse is
 */

export class BoardPointer {
  /**
   * @param {HTMLElement} face
   * @param {PointerTarget} target
   */
  constructor(face, target) {
    this._face = face;
    this._target = target;
    /** @type {Map<number, Point>} The fingers on the board, by the id of their pointer. */
    this._down = new Map();
    /** @type {"idle" | "select" | "wait" | "pan" | "pinch"} */
    this._state = "idle";
    /** @type {Point} */
    this._start = [0, 0];
    /** @type {{time: number, at: Point} | null} */
    this._played = null;
    const listen = /** @type {const} */ ({
      pointerdown: (/** @type {PointerEvent} */ event) => this._press(event),
      pointermove: (/** @type {PointerEvent} */ event) => this._move(event),
      pointerup: (/** @type {PointerEvent} */ event) => this._release(event),
      pointercancel: (/** @type {PointerEvent} */ event) => this._cancel(event),
      pointerleave: (/** @type {PointerEvent} */ event) => this._leave(event),
    });
    const stop = new AbortController();
    for (const [name, heard] of Object.entries(listen))
      face.addEventListener(name, /** @type {EventListener} */ (heard), { signal: stop.signal });
    /** Stop listening. */
    this.close = () => stop.abort();
  }

  /**
   * @param {PointerEvent} event
   * @returns {Point}
   */
  _at(event) {
    const { left, top } = this._face.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  /** @param {PointerEvent} event */
  _press(event) {
    if (event.button !== 0) return;
    const at = this._at(event);
    this._target.press();
    this._down.set(event.pointerId, at);
    this._face.setPointerCapture(event.pointerId);
    if (this._down.size > 1) {
      this._state = "pinch";
      this._target.clear();
      return;
    }
    this._start = at;
    // On a magnified board, a finger may be about to move it: wait for what it does.
    this._state = event.pointerType !== "mouse" && this._target.magnified() ? "wait" : "select";
    this._target.select(at, kindOf(event));
  }

  /** @param {PointerEvent} event */
  _move(event) {
    const at = this._at(event);
    const before = this._down.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === "mouse") this._hover(at);
      return;
    }
    if (this._state === "pinch") return this._pinch(event.pointerId, at);
    this._down.set(event.pointerId, at);
    if (this._state === "wait" && Math.hypot(at[0] - this._start[0], at[1] - this._start[1]) > DRAG_PX) {
      this._state = "pan";
      this._target.clear();
    }
    if (this._state === "pan") this._target.pan(at[0] - before[0], at[1] - before[1]);
    else if (this._state === "select") {
      if (this._isOn(at)) this._target.select(at, kindOf(event));
      else this._target.clear();
    }
  }

  /** @param {Point} at */
  _hover(at) {
    this._target.look(at);
    this._target.select(at, "mouse");
  }

  /**
   * @param {number} id
   * @param {Point} at
   */
  _pinch(id, at) {
    const others = [...this._down].filter(([other]) => other !== id).map(([, place]) => place);
    const before = /** @type {Point} */ (this._down.get(id));
    const other = others[0];
    this._down.set(id, at);
    if (other === undefined) return;
    const span = (/** @type {Point} */ place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
    this._target.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
    if (span(before) > 1)
      this._target.pinch(span(at) / span(before), [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
  }

  /** @param {PointerEvent} event */
  _release(event) {
    if (!this._down.delete(event.pointerId)) return;
    const state = this._state;
    // After a pinch, the finger that stays does nothing until it is lifted too.
    if (this._down.size) return;
    this._state = "idle";
    const at = this._at(event);
    const kind = kindOf(event);
    if ((state === "select" || state === "wait") && this._isOn(at) && !this._isDouble(at, event.timeStamp)) {
      this._target.select(at, kind);
      if (this._target.choose(kind)) this._played = { time: event.timeStamp, at };
      else if (kind === "mouse") this._hover(at);
      return;
    }
    this._target.clear();
  }

  /** @param {PointerEvent} event */
  _cancel(event) {
    if (this._down.delete(event.pointerId)) this._target.clear();
    if (!this._down.size) this._state = "idle";
  }

  /** @param {PointerEvent} event */
  _leave(event) {
    if (event.pointerType === "mouse" && !this._down.size) {
      this._target.clear();
      this._target.look(null);
    }
  }

  /** @param {Point} at */
  _isOn([x, y]) {
    const { clientWidth, clientHeight } = this._face;
    return x >= -RIM_PX && y >= -RIM_PX && x <= clientWidth + RIM_PX && y <= clientHeight + RIM_PX;
  }

  /**
   * @param {Point} at
   * @param {number} time
   */
  _isDouble(at, time) {
    const last = this._played;
    return (
      last !== null &&
      time - last.time < DOUBLE_MS &&
      Math.hypot(at[0] - last.at[0], at[1] - last.at[1]) < DOUBLE_PX
    );
  }
}

/**
 * @param {PointerEvent} event
 * @returns {"mouse" | "touch"}
 */
function kindOf(event) {
  return event.pointerType === "mouse" ? "mouse" : "touch";
}
