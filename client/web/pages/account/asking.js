// Ask the server's HTTP interface as this player, show that it works, and what it refuses.

import { useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { html } from "../../html.js";
import { getJson } from "../../net/api.js";
import { Dialog } from "../../widgets/dialog.js";

/** @typedef {import("../../app/app.js").App} App */

/**
 * Post a question as this player and return the answer.
 * @param {App} app
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>} rejects with ApiError
 */
export function post(app, path, body) {
  return getJson(path, {}, { token: app.identity.token, body });
}

/**
 * Run one piece of work at a time. `problem` is the sentence of its error, `code` the error's code.
 */
export function useWork() {
  const [state, setState] = useState({ busy: false, problem: "", code: "" });
  /** @param {() => Promise<unknown>} work */
  const run = async (work) => {
    if (state.busy) return;
    setState({ busy: true, problem: "", code: "" });
    try {
      await work();
      setState({ busy: false, problem: "", code: "" });
    } catch (error) {
      const code = /** @type {{code?: string}} */ (error).code ?? "";
      setState({ busy: false, problem: sentenceOf(error), code });
    }
  };
  const clear = () => setState({ busy: false, problem: "", code: "" });
  return { ...state, run, clear };
}

/**
 * Ask before something that cannot be undone. The dialog stays open when the server refuses it.
 * @param {{title: string, action: string, work: () => Promise<unknown>, onClose: () => void,
 *   kind?: "primary" | "danger", disabled?: boolean, children?: import("preact").ComponentChildren}} props
 */
export function Confirm({ title, action, work, onClose, kind = "danger", disabled, children }) {
  const { busy, problem, run } = useWork();
  const submit = () => {
    if (!disabled) void run(async () => (await work(), onClose()));
  };
  return html`<${Dialog}
    title=${title}
    action=${action}
    kind=${kind}
    busy=${busy}
    disabled=${disabled}
    problem=${problem}
    onClose=${onClose}
    onSubmit=${submit}
  >
    <div class="stack">${children}</div>
  <//>`;
}
