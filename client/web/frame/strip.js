// The strip of messages over the middle of the head: one message with its buttons at a time.
//
// Its place is fixed, so nothing moves when a message comes or goes. Lost connections come first, then
// challenges, then everything else in the order in which it came.

import { useEffect } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { useNow } from "../widgets/clock.js";
import { challengeNotice } from "./challenges.js";
import { connectionNotice } from "./connection.js";

/** @param {{app: import("../app/app.js").App}} props */
export function Strip({ app }) {
  app.topics.of("link").value;
  app.topics.of("offers").value;
  app.topics.of("rooms").value;
  const counts = app.link.nextTryAt !== null || app.notices.all.value.length > 0;
  const now = useNow(app, counts ? 250 : 0);
  useEffect(() => app.notices.tick(now));
  const notice = connectionNotice(app, now) ?? challengeNotice(app) ?? app.notices.first;
  // The region itself stays, so that a screen reader announces what comes into it.
  return html`<div class="strip-place" role="region" aria-label=${tr("Messages")}>
    <div aria-live="polite" aria-atomic="true" class="visually-hidden">
      ${notice?.spoken ?? notice?.text ?? ""}
    </div>
    ${notice &&
    html`<div class=${`strip ${notice.kind}`} key=${notice.key}>
      <p key=${notice.text} class="strip-text">${notice.text}</p>
      ${notice.actions.map(
        (action) => html`<${Button} key=${action.title} small onPress=${action.run}>${action.title}<//>`,
      )}
      ${notice.until !== undefined &&
      html`<${Button}
        small
        kind="quiet"
        icon="close"
        label=${tr("Close this message")}
        onPress=${() => app.notices.close(notice.key)}
      />`}
    </div>`}
  </div>`;
}
