// Show a new token or password, which nobody can see again, with a button that copies it.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { CopyLine } from "../../widgets/share.js";

/**
 * @param {{app: import("../../app/app.js").App, title: string, label: string, secret: string,
 *   onClose: () => void, children?: import("preact").ComponentChildren}} props
 */
export function SecretDialog({ app, title, label, secret, onClose, children }) {
  return html`<${Dialog}
    title=${title}
    onClose=${onClose}
    actions=${html`<${Button} onPress=${onClose}>${tr("Done")}<//>`}
  >
    <p>${tr("Copy it now: nobody can see it again. Keep it like a password.")}</p>
    <${CopyLine} app=${app} text=${secret} label=${label} done=${tr("It is copied.")} refused=${tr("Press Ctrl+C to copy it.")} secret />
    ${children}
  <//>`;
}
