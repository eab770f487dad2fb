// The dialog that lists the keyboard shortcuts.

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { Dialog } from "../widgets/dialog.js";

const EVERYWHERE = [
  { keys: "?", what: tr("Show this list") },
  { keys: "Esc", what: tr("Close a dialog or a menu") },
];

/** @param {{app: import("../app/app.js").App, onClose: () => void}} props */
export function ShortcutsDialog({ app, onClose }) {
  const here = app.shortcuts.value;
  return html`<${Dialog}
    title=${tr("Keyboard shortcuts")}
    onClose=${onClose}
    actions=${html`<${Button} kind="primary" onPress=${onClose}>${tr("Done")}<//>`}
  >
    ${here.length > 0 && html`<${Keys} title=${tr("On this page")} list=${here} />`}
    <${Keys} title=${tr("Everywhere")} list=${EVERYWHERE} />
    ${!app.settings.shortcuts.value &&
    html`<p class="hint">${tr("Single letters are turned off in the settings.")}</p>`}
  <//>`;
}

/** @param {{title: string, list: readonly {keys: string, what: string}[]}} props */
function Keys({ title, list }) {
  return html`<section class="stack tight">
    <h3>${title}</h3>
    <dl class="facts keys">
      ${list.map(
        ({ keys, what }) => html`<div key=${keys}>
          <dt>${keys.split("/").map((key) => html`<kbd key=${key}>${key}</kbd>`)}</dt>
          <dd>${what}</dd>
        </div>`,
      )}
    </dl>
  </section>`;
}
