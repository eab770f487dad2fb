// The figures of the server, and what an admin can do with all of it.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { announce, drain } from "../../models/admin-actions.js";
import { figures, versionsDiffer } from "../../models/admin.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Notice } from "../../widgets/notice.js";
import { Shown } from "../common/load.js";
import { ActionDialog } from "./forms.js";
import { useAdmin } from "./load.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../models/admin-actions.js").Action} Action */
/** @typedef {import("../../types/api.js").Overview} Overview */

const EVERY_MS = 2000;

/** @param {{app: App}} props */
export function OverviewPart({ app }) {
  const loaded = useAdmin(app, "overview", {}, EVERY_MS);
  const [action, setAction] = useState(/** @type {Action | null} */ (null));
  return html`<${Shown} app=${app} loaded=${loaded} what=${tr("the figures")}>
      ${(/** @type {Overview} */ found) => html`<div class="stack">
        ${found.draining &&
        html`<${Notice} title=${tr("Nothing new begins on this server.")}>${tr("Running games go on.")}<//>`}
        ${versionsDiffer(found) &&
        html`<${Notice} title=${tr("Nodes of different versions run side by side.")}>
          ${tr("They understand each other. Restart the older ones with the new version, one after the other.")}
        <//>`}
        <div class="row">
          <${Button} onPress=${() => setAction(announce())}>${tr("Announce ...")}<//>
          <${Button} onPress=${() => setAction(drain(!found.draining))}>
            ${found.draining ? tr("Open the server again ...") : tr("Let nothing new begin ...")}
          <//>
        </div>
        <div class="figures">
          ${figures(found).map(
            ({ title, facts }) => html`<section class="card" key=${title}>
              <h2>${title}</h2>
              <dl>
                ${facts.map(
                  ({ label, value }) => html`<div key=${label}>
                    <dt>${label}</dt>
                    <dd class="numbers">${value}</dd>
                  </div>`,
                )}
              </dl>
            </section>`,
          )}
        </div>
      </div>`}
    <//>
    ${action && html`<${ActionDialog} app=${app} action=${action} again=${loaded.again} onClose=${() => setAction(null)} />`}`;
}
