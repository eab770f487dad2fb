// What the host tells everybody, below the head, until its time is over or somebody closes it.

import { useEffect } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";

/** Where the browser keeps the announcement that was closed: the server repeats it to newcomers. */
const CLOSED = "announcement";
const NOTHING = { text: "", untilMs: null };

/** @param {{app: import("../app/app.js").App}} props */
export function Announcement({ app }) {
  const { text, untilMs } = app.announcement.value;
  const key = untilMs && `${untilMs} ${text}`;
  const close = () => {
    app.storage.set(CLOSED, key);
    app.announcement.value = NOTHING;
  };
  useEffect(() => {
    const timer = untilMs && setTimeout(() => (app.announcement.value = NOTHING), untilMs - Date.now());
    return () => clearTimeout(timer ?? 0);
  }, [key]);
  // The region itself stays, so that a screen reader announces what comes into it.
  return html`<div role="status">
    ${text &&
    (key === null || app.storage.get(CLOSED) !== key) &&
    html`<div class="announcement">
      <p>${tr("The host says: {text}", { text })}</p>
      <${Button} small kind="quiet" icon="close" label=${tr("Close this message")} onPress=${close} />
    </div>`}
  </div>`;
}
