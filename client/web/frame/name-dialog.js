// The dialog that asks for a name, before somebody else sees it.

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Dialog } from "../widgets/dialog.js";
import { NameForm } from "../widgets/name-form.js";

/** @param {{app: import("../app/app.js").App, onClose: () => void}} props */
export function NameDialog({ app, onClose }) {
  const over = (/** @type {boolean} */ named) => {
    const { naming } = app;
    app.naming = null;
    onClose();
    naming?.(named);
  };
  return html`<${Dialog} title=${tr("What is your name?")} onClose=${() => over(false)}>
    <${NameForm} app=${app} action=${tr("Continue")} onDone=${() => over(true)} />
  <//>`;
}
