// Draw what a network would play: a band along each free edge, the wider and stronger the larger its share.

import { html } from "../html.js";
import { tr } from "../texts.js";
import { lineBetween } from "./shapes.js";
import { make, set, UNIT } from "./svg.js";

/** @import { BoardView } from "./view.js" */
/** @typedef {import("../net/facts.js").Fact} Fact */

/** How many actions the line below the board names. */
const NAMED = 3;

export class BoardHeat {
  /** @param {BoardView} view */
  constructor(view) {
    this._view = view;
    /** @type {Fact | null} */
    this._fact = null;
    this._number = make("text", { class: "share" }, view.marks);
  }

  /**
   * Draw the shares of an answer; null removes them.
   * @param {Fact | null} fact
   */
  show(fact) {
    if (fact === this._fact) return;
    this._fact = fact;
    const { heat, places, geometry } = this._view;
    heat.replaceChildren();
    this._view.whole.classList.toggle("hot", Boolean(fact?.shares?.length)); // hides other bands
    for (const { action, share } of fact?.shares ?? []) {
      const ends = places.ends.get(action);
      if (!ends) continue;
      const line = make("line", lineBetween(...ends), heat);
      line.style.setProperty("--share", String(warmth(fact, share)));
      make("title", {}, line).textContent = `${geometry.names[action]}: ${percent(share)}`;
    }
  }

  /**
   * Write the share of an action on it; null: of none.
   * @param {number | null} action
   */
  number(action) {
    const middle = action === null ? undefined : this._view.places.middles.get(action);
    this._number.textContent = shareOf(this._fact, action);
    if (middle) set(this._number, { x: middle[0] * UNIT, y: middle[1] * UNIT });
  }
}

/**
 * Return how strong a share is drawn, from 0 to 1. Many shares of half the largest one would hide it.
 * @param {Fact | null} fact
 * @param {number} share
 */
export function warmth(fact, share) {
  const most = fact?.shares?.[0]?.share || 1;
  return Math.round(100 * (share / most) ** 2) / 100;
}

/** @param {number} share */
function percent(share) {
  return share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
}

/**
 * Return the share of an action as people read it, or "".
 * @param {Fact | null | undefined} fact
 * @param {number | null} action
 */
export function shareOf(fact, action) {
  const found = fact?.shares?.find((each) => each.action === action);
  return found ? percent(found.share) : "";
}

/**
 * Return a sentence about an answer; null: it is being fetched.
 * @param {Fact | null} fact
 * @param {readonly string[]} names those of the actions
 */
export function heatLine(fact, names) {
  if (!fact) return tr("Asking the network ...");
  if (!fact.shares) return fact.problem ?? "";
  const best = fact.shares.slice(0, NAMED).map(({ action, share }) => `${names[action]} ${percent(share)}`);
  return best.length
    ? tr("After all captures the network would play {edges}", { edges: best.join(", ") })
    : tr("The rest is counted, without the network.");
}

/** @param {{fact: Fact | null, names: readonly string[]}} props */
export function HeatLine({ fact, names }) {
  return html`<p class="board-legend" role="status">${heatLine(fact, names)}</p>`;
}
