// Run one piece of work at a time, show that it runs, and keep the sentence of its error.

import { useState } from "preact/hooks";

import { sentenceOf } from "../app/app.js";

const IDLE = { busy: false, problem: "", code: "" };

/**
 * Return `run` and its state. `problem` is the sentence of the last error, `code` the error's code.
 * @param {string} [problem] the sentence to begin with
 */
export function useWork(problem = "") {
  const [state, setState] = useState({ ...IDLE, problem });
  /** @param {() => Promise<unknown>} work */
  const run = async (work) => {
    if (state.busy) return;
    setState({ ...IDLE, busy: true });
    try {
      await work();
      setState(IDLE);
    } catch (error) {
      const code = /** @type {{code?: string}} */ (error).code ?? "";
      setState({ busy: false, problem: sentenceOf(error), code });
    }
  };
  /** @param {string} [problem] a sentence to show, or none */
  const clear = (problem = "") => setState({ ...IDLE, problem });
  return { ...state, run, clear };
}
