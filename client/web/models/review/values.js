// Ask for the values of positions, keep the answers, and say what they mean.

import { decimal, tr } from "../../texts.js";
import { leadText, netOf } from "./scores.js";

/** @import { PositionValues } from "./types" */

/** An answer about a position: its values, or a sentence that says why there are none. */
/** @typedef {{values?: PositionValues, problem?: string}} Answer */
/** @typedef {{game: string, params: Record<string, number>, opening: number[], moves: number[]}} Position */

/** How many answers are kept. */
const KEPT = 200;
/** How long a position is shown before it is asked about, in seconds. */
export const SETTLED_S = 0.12;
/** Estimates that differ by less are equally good, in points of the lead. */
const SAME = 0.5;
/** How many of the best actions the line below the board names. */
const NAMED = 4;

export class ValuesCache {
  /**
   * @param {(position: Position) => Promise<PositionValues>} ask - rejects with an error that has `sentence`
   * @param {() => void} changed called when an answer has arrived
   * @param {{after: (seconds: number, call: () => void) => () => void}} timers
   */
  constructor(ask, changed, timers) {
    this._ask = ask;
    this._changed = changed;
    this._timers = timers;
    /** @type {Map<string, Answer>} */
    this._known = new Map();
    /** The position that was shown last, and those that are asked about. */
    this._shown = "";
    /** @type {Set<string>} */
    this._asked = new Set();
    this._stop = () => {};
  }

  /**
   * Return the answer about a position, or null while it is being fetched.
   * @param {Position} position
   * @returns {Answer | null}
   */
  get(position) {
    const key = `${position.opening} ${position.moves}`;
    if (key !== this._shown) {
      this._shown = key;
      this._stop();
      // A question that failed is asked again when its position is shown again.
      if (this._known.get(key)?.problem) this._known.delete(key);
      if (!this._known.has(key) && !this._asked.has(key)) {
        this._stop = this._timers.after(SETTLED_S, () => void this._fetch(key, position));
      }
    }
    return this._known.get(key) ?? null;
  }

  /**
   * Return the values of a position if they are known; this asks nothing.
   * @param {{opening: readonly number[], moves: readonly number[]}} position
   */
  known({ opening, moves }) {
    return this._known.get(`${opening} ${moves}`)?.values;
  }

  /** Ask no more. */
  close() {
    this._shown = "";
    this._stop();
  }

  /**
   * @param {string} key
   * @param {Position} position
   */
  async _fetch(key, position) {
    this._asked.add(key);
    /** @type {Answer} */
    let answer;
    try {
      answer = { values: await this._ask(position) };
    } catch (error) {
      answer = { problem: error instanceof Error ? error.message : String(error) };
    }
    this._asked.delete(key);
    this._known.set(key, answer);
    const [oldest] = this._known.keys();
    if (this._known.size > KEPT && oldest !== undefined) this._known.delete(oldest);
    this._changed();
  }
}

/**
 * Return the values of a position that began otherwise than by the rules.
 * @param {PositionValues} values
 * @param {import("../analysis/address.js").Begin} begin
 * @returns {PositionValues}
 */
export function valuesFrom(values, { seat, scores }) {
  const seen = (/** @type {any} */ each) => ({ ...each, net: netOf(each, seat) + scores[0] - scores[1] });
  return { ...values, value: seen(values.value), actions: values.actions.map(seen) };
}

/**
 * Return the label of each action: the mover's final lead if both play best. `look` is `best` for the
 * best ones, `bad` for those that cost a box or more, and `fair` for the others. Estimates are `rough`.
 *
 * @param {PositionValues} values
 * @param {number | null} seat the mover
 * @param {string} unit what the scores count; empty: games are only won, lost or drawn
 */
export function labelsOf(values, seat, unit) {
  const top = values.value;
  const labels = values.actions.map((each) => {
    const lost = netOf(top, seat) - netOf(each, seat);
    const exact = each.spread === 0 && top.spread === 0;
    const best = exact ? lost === 0 : lost < SAME;
    // A box that one player loses is one that the other gets, so it is two in the lead.
    const look = best ? "best" : lost >= (unit ? 2 : 1) ? "bad" : "fair";
    // Equally good estimates have one number, whatever their error makes of them.
    return { action: each.action, text: leadText(netOf(best ? top : each, seat)), look, rough: each.spread !== 0 };
  });
  // Where all are equally good, none is marked.
  return labels.length > 1 && labels.every(({ look }) => look === "best") ? labels.map((each) => ({ ...each, look: "fair" })) : labels;
}

/**
 * Say what the labels mean, and which actions are best.
 *
 * @param {PositionValues} values
 * @param {number | null} seat
 * @param {{names: readonly string[], unit: string}} geometry
 * @param {readonly string[]} players
 */
export function valuesLine(values, seat, { names, unit }, players) {
  const labels = labelsOf(values, seat, unit);
  const best = labels.filter(({ look }) => look === "best");
  const equal = best.length === 0 && labels.length > 0;
  const named = best.slice(0, NAMED).map(({ action }) => names[action] ?? String(action));
  const found = { moves: named.join(", "), n: best.length - named.length, lead: best[0]?.text };
  const name = players[seat ?? 0];
  const told = [
    equal
      ? tr("No move is better than the others ({lead}).", { lead: labels[0].text })
      : found.n
        ? tr("Best: {moves} and {n} more ({lead}).", found)
        : tr("Best: {moves} ({lead}).", found),
    unit
      ? tr("The numbers say by how much {name}, to move, will lead in the end.", { name })
      : tr("{name} is to move: +1 wins, 0 draws, −1 loses.", { name }),
  ].join(" ");
  if (!unit) return told; // such values are never estimates
  const rough = values.actions.filter(({ spread }) => spread !== 0).map(({ spread }) => spread);
  if (!rough.length) return `${told} ${tr("All are exact.")}`;
  const error = { error: decimal(Math.max(...rough), 1, 1) };
  return `${told} ${
    rough.length < labels.length
      ? tr("Pale ones are estimates, give or take {error}.", error)
      : tr("They are estimates, give or take {error}.", error)
  }`;
}
