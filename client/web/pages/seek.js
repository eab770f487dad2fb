// An open offer at /seek/ID: who looks for an opponent, and for what; or what became of it.

import { useState } from "preact/hooks";

import { outer } from "../address.js";
import { html } from "../html.js";
import { offeredIn, seekPath } from "../models/addresses.js";
import { tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { NameForm } from "../widgets/name-form.js";
import { Share } from "../widgets/share.js";
import { Terms } from "../widgets/terms.js";
import { acceptSeek } from "./begin/actions.js";
import { Shown, useAnswer } from "./common/load.js";
import { useTitle } from "./common/parts.js";
import { SameMatch } from "./common/same-match.js";

/** @import { Invitation } from "../types/api.js" */
/** @typedef {import("../app/app.js").App} App */

/** @param {{app: App, params: {id: string}}} props */
export function SeekPage({ app, params: { id } }) {
  useTitle(app, tr("An offer"));
  const loaded = useAnswer(`/api/invitations/${encodeURIComponent(id)}`, {}, 8000);
  const gone = loaded.error?.status === 404;
  return html`<div class="page narrow"><section class="card stack invitation">
    ${gone
      ? html`<h1>${tr("This offer is over")}</h1>
          <p>${tr("It ended a while ago, or the server was started again since.")}</p>
          <${SameMatch} app=${app} settings=${offeredIn(location.hash)} />`
      : html`<${Shown} app=${app} loaded=${loaded} what=${tr("the offer")}>
          ${(/** @type {Invitation} */ found) =>
            html`<${Offer} app=${app} id=${id} found=${found} again=${loaded.again} />`}
        <//>`}
  </section></div>`;
}

/** @param {{app: App, id: string, found: Invitation, again: () => void}} props */
function Offer({ app, id, found, again }) {
  const [busy, setBusy] = useState(false);
  const { state, settings, seat, room } = found;
  const name = found.players[0]?.name ?? "";
  const mine = app.me.value === name;
  const accept = async () => {
    setBusy(true);
    try {
      await acceptSeek(app, id);
    } catch (error) {
      // Somebody else was faster, and the page says so.
      app.complain(error);
      again();
    } finally {
      setBusy(false);
    }
  };
  const terms = html`<${Terms} app=${app} settings=${settings} name=${name} seat=${seat} />`;
  if (state !== "open") {
    const why = {
      taken: tr("Somebody has accepted the offer of {name}.", { name }),
      expired: tr("{name} has left, so the offer is over.", { name }),
    }[/** @type {string} */ (state)];
    return html`<h1>${tr("This offer is over")}</h1>
      <p>${why ?? tr("{name} has withdrawn the offer, or plays somebody else now.", { name })}</p>
      ${terms}
      <${SameMatch} app=${app} settings=${settings} room=${room} />`;
  }
  if (mine) {
    const url = location.origin + outer(seekPath(id, settings));
    return html`<h1>${tr("Your offer is open")}</h1>
      ${terms}
      <p>${tr("Whoever opens this link can accept it.")}</p>
      <${Share} app=${app} url=${url} qr="hidden" />
      <div class="row"><${LinkButton} href="/">${tr("To the lobby")}<//></div>`;
  }
  return html`<h1>${tr("{name} looks for an opponent", { name })}</h1>
    ${terms}
    ${app.known.value
      ? html`<div class="row">
          <${Button} kind="primary" busy=${busy} onPress=${accept}>${tr("Accept")}<//>
          <${LinkButton} href="/">${tr("To the lobby")}<//>
        </div>`
      : html`<${NameForm} app=${app} action=${tr("Accept")} onDone=${accept} />`}`;
}
