// Show a new token or password, which nobody can see again, with a button that copies it.

import { useRef, useState } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { copyText } from "../../widgets/share.js";

/**
 * @param {{app: import("../../app/app.js").App, title: string, label: string, secret: string,
 *   onClose: () => void, children?: import("preact").ComponentChildren}} props
 */
export function SecretDialog({ app, title, label, secret, onClose, children }) {
  const [copied, setCopied] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const copy = async () => {
    const done = await copyText(secret, field.current);
    setCopied(done);
    app.say(done ? tr("It is copied.") : tr("Press Ctrl+C to copy it."));
  };
  return html`<${Dialog}
    title=${title}
    onClose=${onClose}
    actions=${html`<${Button} onPress=${onClose}>${tr("Done")}<//>`}
  >
    <p>${tr("Copy it now: nobody can see it again. Keep it like a password.")}</p>
    <div class="share-line">
      <input
        ref=${field}
        class="input secret"
        readonly
        aria-label=${label}
        value=${secret}
        onFocus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select()}
      />
      <${Button} kind="primary" icon=${copied ? "check" : "copy"} onPress=${copy} class="share-copy">
        ${copied ? tr("Copied") : tr("Copy")}
      <//>
    </div>
    ${children}
  <//>`;
}
