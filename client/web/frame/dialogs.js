// The dialogs of the frame; their code is loaded when they are opened.

import { html } from "../html.js";
import { later } from "../widgets/later.js";

const DIALOGS = {
  challenge: later(async () => (await import("./challenge-dialog.js")).ChallengeDialog),
  name: later(async () => (await import("./name-dialog.js")).NameDialog),
  settings: later(async () => (await import("./settings-dialog.js")).SettingsDialog),
  shortcuts: later(async () => (await import("./shortcuts-dialog.js")).ShortcutsDialog),
};

/**
 * Show the open dialog.
 * @param {{app: import("../app/app.js").App}} props
 */
export function Dialogs({ app }) {
  const name = app.dialog.value;
  const Open = name && DIALOGS[name];
  return Open && html`<${Open} app=${app} onClose=${() => (app.dialog.value = null)} />`;
}
