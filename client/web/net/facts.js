// Ask the server about positions, and keep its answers: features, and what a network would play.

import { getJson } from "./api.js";

/** @typedef {import("../types/api.js").PositionFeature} PositionFeature */
/** @typedef {import("../types/api.js").ActionShare} ActionShare */
/** @typedef {{features?: PositionFeature[], shares?: ActionShare[], problem?: string}} Fact */

/** How many answers are kept. */
const KEPT = 80;
/** How long a position is shown before it is asked about, in milliseconds. */
const SETTLED_MS = 100;

export class PositionFacts {
  /** @param {() => void} changed called when an answer has arrived */
  constructor(changed) {
    this._changed = changed;
    /** @type {Map<string, Fact>} */
    this._known = new Map();
    /** @type {Record<string, {key: string, timer: ReturnType<typeof setTimeout>}>} The last question of each kind. */
    this._asked = {};
  }

  /**
   * Return an answer about a position, or null while it is being fetched.
   * @param {"features" | "policy"} kind
   * @param {Record<string, any>} position
   * @returns {Fact | null}
   */
  get(kind, position) {
    const key = `${kind} ${position.opening} ${position.moves}`;
    if (this._asked[kind]?.key !== key) {
      clearTimeout(this._asked[kind]?.timer);
      // A question that failed is asked again when its position is shown again.
      if (this._known.get(key)?.problem) this._known.delete(key);
      const timer = setTimeout(() => this._known.has(key) || this._ask(kind, key, position), SETTLED_MS);
      this._asked[kind] = { key, timer };
    }
    return this._known.get(key) ?? null;
  }

  /**
   * @param {string} kind
   * @param {string} key
   * @param {Record<string, any>} position
   */
  async _ask(kind, key, position) {
    /** @type {Fact} */
    const fact = await getJson(`/api/${kind}`, position).catch((error) => ({ problem: error.sentence }));
    this._known.set(key, fact);
    if (this._known.size > KEPT) this._known.delete([...this._known.keys()][0]);
    this._changed();
  }
}
