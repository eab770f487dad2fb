// Draw features over their cells, each as a band with a pattern and a label, and explain them.

import { html } from "../html.js";
import { tr } from "../texts.js";
import { clamp } from "./layout.js";
import { featurePath, labelOf, legendOf } from "./paths.js";
import { make, round, UNIT } from "./svg.js";

/** @import { Feature } from "./types" */
/** @import { FeaturePath } from "./paths.js" */
/** @import { BoardView } from "./view.js" */

/** The width of a letter of a label, as a share of its height. */
const LETTER = 0.56;

export class BoardOverlay {
  /** @param {BoardView} view */
  constructor(view) {
    this._view = view;
    /** @type {readonly Feature[] | null} */
    this._features = null;
    /** @type {FeaturePath[]} */
    this._paths = [];
    /** @type {FeaturePath | null} The one whose label is shown in full. */
    this._expanded = null;
    this._unit = 0;
    /** @type {Map<Element, Map<string, Element>>} The groups of each layer by their keys. */
    this._drawn = new Map();
  }

  /**
   * Draw features; null removes them.
   * @param {readonly Feature[] | null} features
   */
  show(features) {
    if (features !== this._features) {
      this._features = features;
      this._expanded = null;
      this._paths = (features ?? [])
        .map((feature) => featurePath(this._view.places, feature))
        .filter((path) => path !== null);
      this._keep(this._view.features, this._paths.map(bandOf));
    } else if (this._view.unit === this._unit) return;
    this._unit = this._view.unit;
    this._label();
  }

  /**
   * Show the full label of the feature at a cell; null: of none.
   * @param {number | null} cell
   */
  expand(cell) {
    const wanted = this._paths.find((path) => cell !== null && path.feature.cells.includes(cell)) ?? null;
    if (wanted === this._expanded) return;
    this._expanded = wanted;
    this._label();
  }

  _label() {
    // The full label is wide and may cover others, so draw it last.
    const order = [...this._paths].sort((a, b) => Number(a === this._expanded) - Number(b === this._expanded));
    this._keep(this._view.labels, order.map((path) => this._labelOf(path)));
  }

  /**
   * @param {FeaturePath} path
   * @returns {Group}
   */
  _labelOf({ feature, look, anchor, room }) {
    const { lengths, geometry } = this._view;
    const height = lengths.label;
    const width = (/** @type {string} */ text) => text.length * LETTER * height + height;
    const label = labelOf(feature);
    const full = this._expanded?.feature === feature || width(label) <= room - 0.2;
    const text = full ? label : String(feature.cells.length);
    const wide = Math.max(width(text), 1.6 * height);
    // The label may be as long as the board and its margin.
    const middle = geometry.width / 2;
    const x = clamp(anchor[0], Math.min(wide / 2 - 0.2, middle), Math.max(geometry.width - wide / 2 + 0.2, middle));
    const y = anchor[1];
    const plate = {
      x: round((x - wide / 2) * UNIT),
      y: round((y - 0.8 * height) * UNIT),
      width: round(wide * UNIT),
      height: round(1.6 * height * UNIT),
      rx: round(0.8 * height * UNIT),
    };
    return {
      key: `${look} ${text} ${plate.x} ${plate.y} ${plate.width}`,
      draw: () => {
        const group = make("g", { class: `label ${look}` });
        make("rect", plate, group);
        make("text", { x: round(x * UNIT), y: round(y * UNIT) }, group).textContent = text;
        return group;
      },
    };
  }

  /**
   * Make the children of a layer those groups, in this order; keep those that it has already.
   * @param {Element} layer
   * @param {Group[]} groups
   */
  _keep(layer, groups) {
    const before = this._drawn.get(layer) ?? new Map();
    const after = new Map(groups.map(({ key, draw }) => [key, before.get(key) ?? draw()]));
    for (const [key, group] of before) if (!after.has(key)) group.remove();
    let at = layer.firstElementChild;
    for (const group of after.values()) {
      if (at !== null && group === at) at = at.nextElementSibling;
      else layer.insertBefore(group, at);
    }
    this._drawn.set(layer, after);
  }
}

/**
 * A part of a layer: two with the same key look the same.
 * @typedef {{key: string, draw: () => Element}} Group
 */

/**
 * Return the drawing of a feature without its label.
 * @param {FeaturePath} path
 * @returns {Group}
 */
function bandOf({ strokes, look }) {
  const d = strokes.map((stroke) => `M${stroke.map(([x, y]) => `${x * UNIT} ${y * UNIT}`).join("L")}`).join("");
  return {
    key: `${look} ${d}`,
    draw: () => {
      const group = make("g", { class: `feature ${look}` });
      make("path", { class: "band", d }, group);
      make("path", { class: "thread", d }, group);
      return group;
    },
  };
}

/**
 * Explain the colours and patterns of features.
 * @param {{features: readonly Feature[]}} props
 */
export function Legend({ features }) {
  const entries = legendOf(features);
  if (!entries.length) return html`<p class="board-legend muted">${tr("Nothing to highlight yet")}</p>`;
  return html`<ul class="board-legend">
    ${entries.map(
      ([look, name]) => html`<li key=${name}>
        <svg class="feature ${look}" viewBox="0 0 36 14" width="36" height="14" aria-hidden="true">
          <path class="band" d="M7 7H29" /><path class="thread" d="M7 7H29" />
        </svg>
        ${name}
      </li>`,
    )}
  </ul>`;
}
