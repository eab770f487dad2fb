// The dialogs of the frame; their code is loaded when they are opened.

import { html } from "../html.js";
import { later } from "../widgets/later.js";

export const SettingsDialog = later(
  async () => (await import("./settings-dialog.js")).SettingsDialog,
);
export const ShortcutsDialog = later(
  async () => (await import("./shortcuts-dialog.js")).ShortcutsDialog,
);

/**
 * Show the open dialog.
 * @param {{app: import("./app.js").App}} props
 */
export function Dialogs({ app }) {
  const Open = app.dialog.value;
  return Open && html`<${Open} app=${app} onClose=${() => (app.dialog.value = null)} />`;
}
