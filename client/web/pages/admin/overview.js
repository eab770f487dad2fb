// The figures of the server, and what an admin can do with all of it.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { announce, drain } from "../../models/admin-actions.js";
import { figures, versionsDiffer } from "../../models/admin.js";
import { plural, tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { Notice } from "../../widgets/notice.js";
import { Shown } from "../common/load.js";
import { Tiles } from "../common/parts.js";
import { ActionDialog } from "./forms.js";
import { useAdmin } from "./load.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../models/admin-actions.js").Action} Action */
/** @typedef {import("../../types/api.js").Overview} Overview */
/** @typedef {import("../../types/api.js").ReportLine} ReportLine */

const EVERY_MS = 2000;
const REPORTS_MS = 30_000;
/** How many reports are counted; the open ones come first. */
const REPORTS = 100;

/** @param {{app: App}} props */
export function OverviewPart({ app }) {
  const loaded = useAdmin(app, "overview", {}, EVERY_MS);
  const reports = useAdmin(app, "reports", { limit: REPORTS }, REPORTS_MS);
  const [action, setAction] = useState(/** @type {Action | null} */ (null));
  // Both come at once, so that nothing jumps.
  const whole = reports.value !== null || reports.error !== null;
  return html`<${Shown} app=${app} loaded=${whole ? loaded : { ...loaded, value: null }} what=${tr("the figures")}>
      ${(/** @type {Overview} */ found) => {
        const [now, ...others] = figures(found);
        return html`<div class="stack">
          <${Attention} found=${found} reports=${reports.value?.reports ?? []} />
          <section class="card" aria-label=${now.title}><${Tiles} facts=${now.facts} /></section>
          <div class="row">
            <${Button} onPress=${() => setAction(announce())}>${tr("Announce ...")}<//>
            <${Button} onPress=${() => setAction(drain(!found.draining))}>
              ${found.draining ? tr("Open the server again ...") : tr("Let nothing new begin ...")}
            <//>
          </div>
          <div class="figures columns">
            ${others.map(
              ({ title, facts }) => html`<section class="card" key=${title}>
                <h2>${title}</h2>
                <dl>
                  ${facts.map(({ label, value }) => html`<div key=${label}><dt>${label}</dt><dd class="numbers">${value}</dd></div>`)}
                </dl>
              </section>`,
            )}
          </div>
        </div>`;
      }}
    <//>
    ${action && html`<${ActionDialog} app=${app} action=${action} again=${loaded.again} onClose=${() => setAction(null)} />`}`;
}

/**
 * What an admin should look at.
 * @param {{found: Overview, reports: readonly ReportLine[]}} props
 */
function Attention({ found, reports }) {
  const open = reports.filter(({ closed_ms }) => closed_ms === null).length;
  const calm = !open && !found.draining && !versionsDiffer(found);
  return html`
    ${calm && html`<${Notice} kind="good">${tr("Nothing needs you now.")}<//>`}
    ${open > 0 &&
    html`<${Notice}
      kind="bad"
      title=${plural("1 report is open.", "{n} reports are open.", open)}
      actions=${html`<${LinkButton} href="/admin?show=reports">${tr("Reports")}<//>`}
    />`}
    ${found.draining &&
    html`<${Notice} title=${tr("Nothing new begins on this server.")}>${tr("Running games go on.")}<//>`}
    ${versionsDiffer(found) &&
    html`<${Notice} title=${tr("Nodes of different versions run side by side.")}>
      ${tr("They understand each other. Restart the older ones with the new version, one after the other.")}
    <//>`}
  `;
}
