// What players have reported: a list, and each report with its game and what was said there.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { gamePath, roomPath } from "../../models/addresses.js";
import { dateText } from "../../models/time.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field } from "../../widgets/field.js";
import { List } from "../../widgets/list.js";
import { useWork } from "../../widgets/work.js";
import { post } from "../account/asking.js";
import { Shown } from "../common/load.js";
import { Name, When } from "../common/parts.js";
import { REASONS } from "../common/people.js";
import { useAdmin } from "./load.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { ReportAnswer, ReportLine, ReportsAnswer } from "../../types/api.js" */

const EVERY_MS = 30_000;
const LIMIT = 100;

/** @param {{app: App}} props */
export function ReportsPart({ app }) {
  const loaded = useAdmin(app, "reports", { limit: LIMIT }, EVERY_MS);
  const [chosen, setChosen] = useState(/** @type {ReportLine | null} */ (null));
  return html`<section class="card stack">
    <h2>${tr("Reports")}</h2>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the reports")}>
      ${(/** @type {ReportsAnswer} */ { reports }) => html`<${List}
        label=${tr("Reports")}
        items=${reports}
        keyOf=${(/** @type {ReportLine} */ each) => each.report_id}
        most=${LIMIT}
        row=${(/** @type {ReportLine} */ each) => html`<div class="grow">
            <p>
              <${Name} name=${each.about} /> <span class="badge">${reasonTitle(each)}</span>
              ${each.closed_ms === null && html` <span class="badge open">${tr("report|open")}</span>`}
            </p>
            ${each.words && html`<p>${each.words}</p>`}
            <p class="muted small">${tr("by {name}", { name: each.reporter })} · <${When} ms=${each.made_ms} />${each.note && ` · ${each.note}`}</p>
          </div>
          <${Button} small aria-label=${tr("Open the report about {name}", { name: each.about })} onPress=${() => setChosen(each)}>${tr("Open ...")}<//>`}
        empty=${tr("Nobody has reported anything.")}
      />`}
    <//>
    ${chosen && html`<${ReportDialog} key=${chosen.report_id} app=${app} report=${chosen} again=${loaded.again} onClose=${() => setChosen(null)} />`}
  </section>`;
}

/** @param {ReportLine} report */
function reasonTitle({ reason }) {
  return REASONS.find(({ value }) => value === reason)?.title ?? reason;
}

/** @param {{app: App, report: ReportLine, again: () => void, onClose: () => void}} props */
function ReportDialog({ app, report, again, onClose }) {
  const { report_id, closed_ms, closed_by } = report;
  const loaded = useAdmin(app, "report", { report_id }, 0);
  const [note, setNote] = useState(report.note);
  const { busy, problem, run } = useWork();
  const save = (/** @type {boolean} */ closed) =>
    void run(async () => {
      await post(app, "/api/admin/note-report", { report_id, note, closed });
      again();
      onClose();
    });
  const open = closed_ms === null;
  return html`<${Dialog}
    title=${tr("Report about {name}", { name: report.about })}
    wide
    problem=${problem}
    onClose=${onClose}
    actions=${html`<${Button} busy=${busy} onPress=${() => save(!open)}>${tr("Save the note")}<//>
      <${Button} kind="primary" busy=${busy} onPress=${() => save(open)}>${open ? tr("Close the report") : tr("Open it again")}<//>`}
  >
    <p><span class="badge">${reasonTitle(report)}</span> ${report.words}</p>
    <p class="muted small">${tr("by {name}", { name: report.reporter })} · ${dateText(report.made_ms)}</p>
    ${!open && html`<p class="muted small">${tr("Closed by {name}.", { name: closed_by })}</p>`}
    <${Shown} app=${app} loaded=${loaded} what=${tr("the report")}>
      ${(/** @type {ReportAnswer} */ { game_id, room, code, talk }) => html`
        ${game_id && html`<p><a href=${room ? roomPath(room, code) : gamePath(game_id, code)}>${tr("Open the game")}</a></p>`}
        ${game_id && talk.length === 0 && html`<p class="muted">${tr("Nobody said anything in their own words there.")}</p>`}
        <div class="talk-lines" role="group" aria-label=${tr("What was said")} tabindex="0">
          ${talk.map((line) => html`<p key=${`${line.at_ms} ${line.name}`}><strong>${line.name}</strong> ${line.words}</p>`)}
        </div>
      `}
    <//>
    <${Field} label=${tr("Note, for admins only")} value=${note} maxlength=${500} onInput=${setNote} />
  <//>`;
}
