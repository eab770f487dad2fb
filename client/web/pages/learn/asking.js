// Ask the server what a session wants to know, one question after the other.

import { useEffect, useMemo, useReducer } from "preact/hooks";

import { requestOf } from "../../models/learn/knowledge.js";
import { paramsOf } from "../../models/learn/words.js";
import { getJson } from "../../net/api.js";

/** @typedef {import("../../models/learn/knowledge.js").Ask} Ask */
/** @typedef {{wanted: Ask | null, give: (ask: Ask, answer: any) => void}} Asking */

class Asker {
  problem = "";
  #stop = new AbortController();
  #busy = false;

  /**
   * @param {Asking} session
   * @param {Parameters<typeof requestOf>[1]} start
   * @param {() => void} changed
   */
  constructor(session, start, changed) {
    this._session = session;
    this._start = start;
    this._changed = changed;
  }

  /** Ask until the session wants nothing, or the server refuses. */
  async run() {
    if (this.#busy || this.problem) return;
    this.#busy = true;
    const { signal } = this.#stop;
    try {
      for (let ask = this._session.wanted; ask && !signal.aborted; ask = this._session.wanted) {
        const { path, query, body } = requestOf(ask, this._start);
        const answer = await getJson(path, query, { signal, body });
        if (signal.aborted) return;
        this._session.give(ask, answer);
        this._changed();
      }
    } catch (/** @type {any} */ error) {
      if (signal.aborted) return;
      if (!error.sentence) throw error;
      this.problem = error.sentence;
      this._changed();
    } finally {
      this.#busy = false;
    }
  }

  again() {
    this.problem = "";
    this._changed();
  }

  close() {
    this.#stop.abort();
  }
}

/**
 * Answer the questions of a session while the component is shown. The result says what is wrong, if
 * anything is, how to ask again, and how to render again after something was done in the session.
 *
 * @param {Asking} session
 * @param {{game: string, size: string, moves: readonly number[]}} start
 * @returns {{problem: string, again: () => void, changed: () => void}}
 */
export function useAsking(session, { game, size, moves }) {
  const [, count] = useReducer((/** @type {number} */ value) => value + 1, 0);
  const changed = () => count(0);
  const asker = useMemo(
    () => new Asker(session, { game, size, params: paramsOf(size), first: moves }, changed),
    [session],
  );
  useEffect(() => () => asker.close(), [asker]);
  useEffect(() => void asker.run());
  return { problem: asker.problem, again: () => asker.again(), changed };
}
