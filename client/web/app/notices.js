// The messages of the strip: one is shown at a time, the most important and oldest first.

import { signal } from "@preact/signals";

/**
 * @typedef {{title: string, run: () => void}} Action
 * @typedef {{kind?: "info" | "good" | "bad", actions?: Action[], key?: string, seconds?: number,
 *   rank?: number}} How
 * @typedef {{key: string, text: string, kind: "info" | "good" | "bad", actions: Action[],
 *   until: number, rank: number, spoken?: string}} Notice
 */

/** How long a message without a decision is shown, in seconds. */
export const SHOWN_S = 8;
/** How long at least, when another one waits: what happened last matters most. */
export const LEAST_S = 1.5;

export class Notices {
  /** @type {import("@preact/signals").Signal<readonly Notice[]>} */
  all = signal([]);
  #count = 0;

  /**
   * Show a message. One with the same `key` is replaced. One with actions stays until it is closed. Those
   * that pass by themselves make way for it soon, unless they tell of a problem.
   * @param {string} text - a sentence
   * @param {number} now - in seconds
   * @param {How} [how] - `rank`: the lowest is shown first
   * @returns {() => void} closes it
   */
  add(text, now, how = {}) {
    const { kind = "info", actions = [], key = `notice-${++this.#count}`, rank = 5 } = how;
    const seconds = how.seconds ?? (actions.length > 0 ? Infinity : SHOWN_S);
    let from = now;
    const others = this.all.peek().map((each) => {
      if (each.key === key || each.kind === "bad" || each.until === Infinity) return each;
      from = Math.min(each.until, from + LEAST_S);
      return { ...each, until: from };
    });
    const notice = { key, text, kind, actions, until: from + seconds, rank };
    const place = others.findIndex((each) => each.key === key);
    this.all.value = place < 0 ? [...others, notice] : others.with(place, notice);
    return () => this.close(key);
  }

  /** @param {string} key */
  close(key) {
    const left = this.all.peek().filter((each) => each.key !== key);
    if (left.length < this.all.peek().length) this.all.value = left;
  }

  /**
   * Drop the messages whose time is over.
   * @param {number} now
   */
  tick(now) {
    const left = this.all.peek().filter((each) => each.until > now);
    if (left.length < this.all.peek().length) this.all.value = left;
  }

  /** @returns {Notice | undefined} the message to show */
  get first() {
    return this.all.value.reduce(
      (/** @type {Notice | undefined} */ best, each) =>
        best === undefined || each.rank < best.rank ? each : best,
      undefined,
    );
  }
}
