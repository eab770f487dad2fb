// The page of a tab without the connection: it says where the connection is, and takes it if asked.

import { useEffect } from "preact/hooks";

import { elsewhereLine } from "../app/tabs.js";
import { html } from "../html.js";
import { roomPath } from "../models/addresses.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";

/** @param {{app: import("../app/app.js").App, match: import("../net/tabs.js").Match | null}} props */
export function ElsewherePage({ app, match }) {
  useEffect(() => app.setTitle(tr("In another tab")), []);
  const { name, params } = app.route.value;
  // An invitation that was opened here matters more than the match.
  const path = match !== null && (name !== "room" || params["id"] === match.room) ? roomPath(match.room) : "";
  const take = () => {
    app.useHere();
    if (path) app.navigate(path);
  };
  return html`<div class="page narrow">
    <section class="card stack">
      <h1>${elsewhereLine(match)}</h1>
      <p>${tr("One tab at a time is connected. Go on there, or move everything here.")}</p>
      <div class="row">
        <${Button} kind="primary" onPress=${take}>${path ? tr("Play here") : tr("Use it here")}<//>
      </div>
    </section>
  </div>`;
}
