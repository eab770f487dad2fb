// The tournaments of the server at /tournaments: open, running and finished; create one here.

import { useState } from "preact/hooks";

import { withName } from "../app/naming.js";
import { html } from "../html.js";
import { aboutLine, formatName, FORMATS, grouped, statusName } from "../models/tournament-words.js";
import { withParams } from "../net/api.js";
import { parts, plural, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Choice, Select } from "../widgets/choice.js";
import { later } from "../widgets/later.js";
import { Shown, useAnswer } from "./common/load.js";
import { Name, PageHead, Pages, useTitle, When } from "./common/parts.js";

const CreateDialog = later(async () => (await import("./tournament/create.js")).CreateDialog);

/** @import { TournamentSummary, Tournaments } from "../types/api.js" */

const PAGE = 30;
const EVERY_MS = 6000;

/** @param {{app: import("../app/app.js").App}} props */
export function TournamentsPage({ app }) {
  useTitle(app, tr("Tournaments"));
  const [creating, setCreating] = useState(false);
  const create = () => withName(app, () => setCreating(true));
  const query = new URLSearchParams(app.route.value.search);
  const chosen = {
    status: query.get("status") ?? "",
    format: query.get("format") ?? "",
    owner: query.get("owner") ?? "",
  };
  const after = query.get("after") ?? "";
  const params = { limit: PAGE, ...chosen, after };
  const loaded = useAnswer("/api/tournaments", params, EVERY_MS);
  const show = (/** @type {Record<string, string>} */ other) =>
    app.navigate(withParams("/tournaments", { ...chosen, ...other }));
  return html`<div class="page">
    <${PageHead}
      title=${tr("Tournaments")}
      about=${tr("People and bots meet in game pairs: two games from one opening, each player once in each seat.")}
      actions=${html`<${Button} kind="primary" icon="cup" onPress=${create}>${tr("Create a tournament")}<//>`}
    />
    <div class="stack">
      <div class="card filters">
        <${Choice}
          label=${tr("Which")}
          value=${chosen.status}
          wrap
          options=${[
            { value: "", title: tr("All") },
            // "Open" is what a button does, which is another word elsewhere.
            { value: "open", title: tr("open").replace(/^./, (letter) => letter.toUpperCase()) },
            { value: "running", title: tr("Running") },
            { value: "finished", title: tr("Finished") },
            { value: "cancelled", title: tr("Ended early") },
          ]}
          onChange=${(/** @type {string} */ status) => show({ status })}
        />
        <${Select}
          label=${tr("Format")}
          value=${chosen.format}
          options=${[
            { value: "", title: tr("All formats") },
            ...FORMATS.map((each) => ({ value: each.key, title: each.title })),
          ]}
          onChange=${(/** @type {string} */ format) => show({ format })}
        />
        ${chosen.owner &&
        html`<p class="owner-filter">
          ${parts("Organised by {owner}", { owner: html`<${Name} name=${chosen.owner} />` })}
          <${LinkButton} small kind="quiet" href=${withParams("/tournaments", { ...chosen, owner: "" })}>${tr("Show all")}<//>
        </p>`}
      </div>
      <section class="card" aria-label=${tr("Tournaments")}>
        <${Shown} app=${app} loaded=${loaded} what=${tr("the tournaments")}>
          ${(/** @type {Tournaments} */ found) =>
            html`<${Found} found=${found} chosen=${chosen} after=${after} onCreate=${create} />`}
        <//>
      </section>
    </div>
    ${creating && html`<${CreateDialog} app=${app} onClose=${() => setCreating(false)} />`}
  </div>`;
}

/**
 * @param {{found: Tournaments, chosen: Record<string, string>, after: string, onCreate: () => void}} props
 */
function Found({ found, chosen, after, onCreate }) {
  if (!found.tournaments.length) {
    const filtered = Object.values(chosen).some(Boolean);
    return html`<div class="empty">
      ${filtered
        ? html`<p>${parts("No tournament fits. {all}.", { all: html`<a href="/tournaments">${tr("Show all")}</a>` })}</p>`
        : html`<p>${tr("There are no tournaments yet.")}</p>
            <${Button} onPress=${onCreate}>${tr("Create the first one")}<//>`}
    </div>`;
  }
  return html`
    <ul class="game-lines" role="list" aria-label=${tr("Tournaments")}>
      ${found.tournaments.map((each) => html`<${Line} key=${each.id} each=${each} />`)}
    </ul>
    <${Pages} path="/tournaments" chosen=${chosen} after=${after} next=${found.next}>
      <span class="muted small">${plural("1 tournament in all", "{n} tournaments in all", found.total, grouped(found.total))}</span>
    <//>
  `;
}

/** @param {{each: TournamentSummary}} props */
function Line({ each }) {
  const ended = each.finished_ms ?? null;
  const starts = each.status === "open" ? each.terms?.starts_ms : null;
  return html`<li class="game-line">
    <div class="grow">
      <p class="opponents">
        <a class="tournament-name" href=${`/tournament/${encodeURIComponent(each.id)}`}><bdi>${each.name}</bdi></a>
        <span class=${`badge ${each.status}`}>${statusName(each.status)}</span>
        ${each.status === "open" && each.terms && !each.terms.people && html`<span class="badge">${tr("bots only")}</span>`}
      </p>
      <p class="muted small">
        ${each.terms ? aboutLine(each.terms, each.title) : formatName(each.format)} ·
        ${" "}${parts("by {owner}", { owner: html`<${Name} name=${each.owner} />` })} ·${" "}
        ${starts == null
          ? html`<${When} ms=${ended ?? each.started_ms ?? each.created_ms} />`
          : parts("Starts {when}", { when: html`<${When} ms=${starts} />` })}
      </p>
    </div>
  </li>`;
}
