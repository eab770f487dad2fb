// The administration of the server at /admin, for its admins: figures, players, rooms, bans.

import { readAccount, loginPath } from "../app/rights.js";
import { LinkError } from "../core/errors.js";
import { html } from "../html.js";
import { PARTS } from "../models/admin.js";
import { ApiError, withParams } from "../net/api.js";
import { parts, tr } from "../texts.js";
import { LinkButton } from "../widgets/button.js";
import { AccountsPart, AuditPart, BansPart, PlayersPart, RoomsPart } from "./admin/lists.js";
import { OverviewPart } from "./admin/overview.js";
import { ReportsPart } from "./admin/reports.js";
import { Shown, useLoaded } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/api.js").AccountAnswer} AccountAnswer */

/** @type {Record<string, (props: {app: App}) => any>} */
const PAGES = {
  players: PlayersPart,
  rooms: RoomsPart,
  accounts: AccountsPart,
  reports: ReportsPart,
  bans: BansPart,
  audit: AuditPart,
};

/** @param {{app: App}} props */
export function AdminPage({ app }) {
  useTitle(app, tr("Administration"));
  const me = app.me.value;
  const load = async (/** @type {AbortSignal} */ signal) => {
    try {
      if (app.identity.token === null) await app.connect();
    } catch (error) {
      throw error instanceof LinkError ? new ApiError(0, error.sentence) : error;
    }
    return readAccount(app, signal);
  };
  const loaded = useLoaded(load, app.known.value ? `admin ${me}` : null);
  return html`<div class="page">
    <${PageHead} title=${tr("Administration")} />
    ${app.known.value && loaded.error?.status !== 401
      ? html`<${Shown} app=${app} loaded=${loaded} what=${tr("your account")}>
          ${(/** @type {AccountAnswer} */ account) =>
            account.scopes.includes("admin") ? html`<${Parts} app=${app} />` : html`<${NoAdmin} app=${app} name=${account.name} />`}
        <//>`
      : html`<${NoAdmin} app=${app} />`}
  </div>`;
}

/** @param {{app: App, name?: string}} props */
function NoAdmin({ app, name = "" }) {
  return html`<section class="card stack">
    <h2>${tr("Only admins can manage this server")}</h2>
    ${name && html`<p>${tr("{name} is no admin.", { name })}</p>`}
    <p>
      ${parts("The host makes an account an admin with {command}.", {
        command: html`<code>doublecross admin register</code>`,
      })}
    </p>
    <div class="row"><${LinkButton} kind="primary" href=${loginPath(app)}>${tr("Log in")}<//></div>
  </section>`;
}

/** @param {{app: App}} props */
function Parts({ app }) {
  const shown = new URLSearchParams(app.route.value.search).get("show") ?? "";
  const Part = PAGES[shown] ?? OverviewPart;
  return html`<div class="stack">
    <nav class="row parts" aria-label=${tr("Parts of the administration")}>
      ${PARTS.map(
        ({ value, title }) => html`<a
          key=${value}
          class="chip"
          href=${withParams("/admin", { show: value })}
          aria-current=${(PAGES[shown] ? shown : "") === value ? "page" : undefined}>${title}</a>`,
      )}
    </nav>
    <${Part} key=${shown} app=${app} />
  </div>`;
}
