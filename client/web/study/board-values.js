// Draw over a board what an analysis says: the value of each action, better actions, and the mark of a move.

import { make, set, UNIT } from "../board/svg.js";
import { capsule } from "../board/shapes.js";

/** @import { BoardView } from "../board/view.js" */

/**
 * `labels` are short texts on actions; `look` is `best`, `fair`, `bad` or `tier0` to `tier2`, and `rough`
 * ones are pale. `better` are actions to ring. `mark` is the mark of a move, such as `−2`.
 *
 * @typedef {{labels: readonly Label[], better: readonly number[], mark: Label | null}} Drawn
 * @typedef {{action: number, text: string, look: string, rough?: boolean}} Label
 */

/** The width of a character, and the height of a label, as shares of the height of its letters. */
const LETTER = 0.58;
const HIGH = 1.5;

export class BoardValues {
  /** @param {BoardView} view */
  constructor(view) {
    this._view = view;
    this._rings = make("g", { class: "better" }, view.labels);
    this._labels = make("g", { class: "values" }, view.marks);
    this._key = "";
  }

  /** @param {Drawn} drawn */
  show({ labels, better, mark }) {
    const size = 1.15 * this._view.lengths.label;
    // Labels are plain elements of a few dozen, so they are made again whenever anything changes.
    const key = JSON.stringify([labels, better, mark, size]);
    if (key === this._key) return;
    this._key = key;
    this._view.whole.classList.toggle("valued", labels.length > 0);
    for (const layer of [this._rings, this._labels]) layer.replaceChildren();
    for (const action of better) this._ring(action);
    for (const label of labels) this._label(label, size);
    if (mark) this._label(mark, 1.2 * size);
  }

  /** @param {number} action */
  _ring(action) {
    const { places, lengths } = this._view;
    const ends = places.ends.get(action);
    const middle = places.middles.get(action);
    if (ends) make("rect", capsule(...ends, lengths.ring), this._rings);
    else if (middle) make("circle", { cx: middle[0] * UNIT, cy: middle[1] * UNIT, r: 0.3 * UNIT }, this._rings);
  }

  /**
   * @param {Label} label
   * @param {number} size
   */
  _label({ action, text, look, rough }, size) {
    const middle = this._view.places.middles.get(action);
    if (!middle) return;
    const [x, y] = middle.map((at) => at * UNIT);
    const width = (text.length * LETTER + 0.5) * size * UNIT;
    const height = HIGH * size * UNIT;
    const group = make("g", { class: `value ${look}${rough ? " rough" : ""}` }, this._labels);
    make("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 3 }, group);
    const written = make("text", { x, y }, group);
    set(written, { "font-size": `${size * UNIT}px` });
    written.textContent = text;
  }
}
