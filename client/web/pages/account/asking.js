// Ask the server's HTTP interface as this player, and ask the person before it.

import { html } from "../../html.js";
import { getJson } from "../../net/api.js";
import { Dialog } from "../../widgets/dialog.js";
import { useWork } from "../../widgets/work.js";

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
    ${children}
  <//>`;
}
