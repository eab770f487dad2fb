// Ask visitors for a name before they do something under it.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Dialog } from "../../widgets/dialog.js";
import { NameForm } from "../../widgets/name-form.js";

/**
 * Return `withName`, which runs an action at once, or after the visitor has chosen a name, and the
 * dialog to show meanwhile.
 *
 * @param {import("../../app/app.js").App} app
 * @param {string} action the text of the dialog's button, such as `Join`
 */
export function useName(app, action) {
  const [waiting, setWaiting] = useState(/** @type {{run: () => void} | null} */ (null));
  const withName = (/** @type {() => void} */ run) => {
    if (app.known.value) run();
    else setWaiting({ run });
  };
  const dialog =
    waiting !== null &&
    html`<${Dialog} title=${tr("What is your name?")} onClose=${() => setWaiting(null)}>
      <${NameForm}
        app=${app}
        action=${action}
        onDone=${() => {
          setWaiting(null);
          waiting.run();
        }}
      />
    <//>`;
  return { withName, dialog };
}
