// Draw marks over a board: what a click would play, the keyboard's place, and a hint.
//
// These are few elements, so they are made again whenever they change.

import { claims, ownerOf } from "./picture.js";
import { capsule, circleAt, lineBetween, shrunk, signPath } from "./shapes.js";
import { make, polygon } from "./svg.js";

/** @import { Point, Position, Seat } from "./types" */
/** @import { BoardView } from "./view.js" */

export class BoardMarks {
  /** @param {BoardView} view */
  constructor(view) {
    this._view = view;
    this._hovers = make("g", { class: "hovers" }, view.marks);
    this._earlies = make("g", { class: "earlies" }, view.marks);
    this._focuses = make("g", { class: "focuses" }, view.marks);
    /** @type {Record<"hover" | "early" | "focus" | "hint", unknown[]>} */
    this._shown = { hover: [], early: [], focus: [], hint: [] };
  }

  /**
   * Preview an action in the colour of a seat; null as action removes the preview.
   * @param {Position} position
   * @param {number | null} action
   * @param {Seat | null} seat
   * @param {boolean} chosen whether a tap has selected it, so that a second one plays it
   */
  hover(position, action, seat, chosen) {
    if (this._changes("hover", [position, action, seat, chosen])) this._preview(this._hovers, position, action, seat, chosen);
  }

  /**
   * Mark the action that a seat has chosen for its next turn; null removes the mark.
   * @param {Position} position
   * @param {number | null} action
   * @param {Seat | null} seat
   */
  early(position, action, seat) {
    if (this._changes("early", [position, action, seat])) this._preview(this._earlies, position, action, seat, true);
  }

  /**
   * @param {Element} parent
   * @param {Position} position
   * @param {number | null} action
   * @param {Seat | null} seat
   * @param {boolean} chosen
   */
  _preview(parent, position, action, seat, chosen) {
    parent.replaceChildren();
    if (action === null) return;
    const look = `${seat === null ? "nobody" : `seat${seat}`}${chosen ? " chosen" : ""}`;
    const ends = this._view.places.ends.get(action);
    if (ends) {
      make("line", { class: `edge hovered ${look}`, ...lineBetween(...ends) }, parent);
      if (chosen) this._ring(parent, ends);
    } else for (const cell of claims(this._view.places, position, action)) this._hoverCell(parent, cell, look, seat);
  }

  /**
   * @param {Element} parent
   * @param {number} cell
   * @param {string} look
   * @param {Seat | null} seat
   */
  _hoverCell(parent, cell, look, seat) {
    const { geometry, places } = this._view;
    const middle = places.cellMiddles[cell];
    const sign = seat === null ? "" : geometry.seat_names[seat];
    if (geometry.pieces === "disc" || geometry.pieces === "object")
      make("path", { class: `piece hovered ${look}`, d: circleAt(middle) }, parent);
    else if (sign === "X" || sign === "O")
      make("path", { class: `piece hovered ${look}`, d: signPath(sign, middle) }, parent);
    else {
      const d = polygon(shrunk(places.cells[cell], middle, 0.8));
      make("path", { class: `square hovered ${look}`, d }, parent);
    }
  }

  /**
   * Draw a ring around an action; null removes it.
   * @param {Position} position
   * @param {number | null} action
   */
  focus(position, action) {
    if (!this._changes("focus", [position, action, this._view.unit])) return;
    this._focuses.replaceChildren();
    if (action === null) return;
    const { places, geometry } = this._view;
    const ends = places.ends.get(action);
    if (ends) return this._ring(this._focuses, ends);
    const d =
      geometry.pieces === "object"
        ? claims(places, position, action).map((cell) => circleAt(places.cellMiddles[cell], 0.46)).join("")
        : (places.regions.get(action) ?? []).map((corners) => polygon(shrunk(corners, middleOf(corners), 0.94))).join("");
    for (const kind of ["around", "focus"]) make("path", { class: kind, d }, this._focuses);
  }

  /**
   * Draw a ring around a segment.
   * @param {Element} parent
   * @param {readonly [Point, Point]} ends
   */
  _ring(parent, ends) {
    const ring = capsule(...ends, this._view.lengths.ring);
    for (const kind of ["around", "focus"]) make("rect", { class: kind, ...ring }, parent);
  }

  /**
   * Mark an action as a hint; null removes the mark.
   * @param {Position} position
   * @param {number | null} action
   */
  hint(position, action) {
    if (!this._changes("hint", [position, action])) return;
    const { hints, places } = this._view;
    hints.replaceChildren();
    if (action === null || position.legal[action] !== "1") return;
    const ends = places.ends.get(action);
    if (ends) {
      make("line", { class: "hint-glow", ...lineBetween(...ends) }, hints);
      make("line", { class: "hint-edge", ...lineBetween(...ends) }, hints);
      return;
    }
    for (const cell of claims(places, position, action).filter((c) => ownerOf(position, c) === null)) {
      const d = polygon(shrunk(places.cells[cell], places.cellMiddles[cell], 0.86));
      make("path", { class: "hint-cell", d }, hints);
    }
  }

  /**
   * Return whether a mark differs from what is shown, and remember it.
   * @param {"hover" | "early" | "focus" | "hint"} kind
   * @param {unknown[]} wanted
   */
  _changes(kind, wanted) {
    const shown = this._shown[kind];
    this._shown[kind] = wanted;
    // Without an action there is nothing to draw, in whatever position.
    if (shown[1] === null && wanted[1] === null) return false;
    return wanted.some((value, at) => value !== shown[at]);
  }
}

/** @param {readonly (readonly [number, number])[]} corners @returns {readonly [number, number]} */
function middleOf(corners) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}
