// Show what is under a finger, magnified, beside the finger.

import { clamp } from "./layout.js";
import { make, round, set, UNIT } from "./svg.js";

/** @import { Point } from "./types" */
/** @import { BoardView } from "./view.js" */

/** The width of the lens, in pixels, and how much of the board it shows, in board units. */
const WIDE_PX = 116;
const UNITS = 2.4;
/** How far its middle is from the finger, in pixels. */
const AWAY_PX = 92;

export class BoardLens {
  /**
   * @param {HTMLElement} face
   * @param {BoardView} view
   */
  constructor(face, view) {
    this._face = face;
    this._view = view;
    /** @type {SVGSVGElement | null} It exists only while it is visible: each change of the board would change it. */
    this._lens = null;
  }

  /**
   * Show the board around a pixel.
   * @param {Point} at
   */
  show([x, y]) {
    if (this._lens === null) {
      this._lens = make("svg", { class: "board-lens", width: WIDE_PX, height: WIDE_PX, "aria-hidden": "true" });
      make("use", { href: `#${this._view.whole.id}` }, this._lens);
      for (const { name, value } of this._view.lengthsStyle) this._lens.style.setProperty(name, value);
      this._face.append(this._lens);
    }
    const [bx, by] = this._view.pointAt(x, y);
    const box = [bx - UNITS / 2, by - UNITS / 2, UNITS, UNITS].map((length) => round(length * UNIT));
    set(this._lens, { viewBox: box.join(" ") });
    const half = WIDE_PX / 2;
    const { top } = this._face.getBoundingClientRect();
    const above = y - AWAY_PX - half;
    const left = clamp(x - half, 0, Math.max(0, this._face.clientWidth - WIDE_PX));
    if (above + top >= 0) this._place(left, above);
    else this._place(x > this._face.clientWidth / 2 ? x - AWAY_PX - half : x + AWAY_PX - half, Math.max(-top, y - half));
  }

  /**
   * @param {number} left
   * @param {number} top
   */
  _place(left, top) {
    if (this._lens) this._lens.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** Remove the lens. */
  hide() {
    this._lens?.remove();
    this._lens = null;
  }
}
