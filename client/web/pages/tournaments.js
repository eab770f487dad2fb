// The tournaments of the server at /tournaments: what is played or begins next, then all; create one here.

import { useMemo, useState } from "preact/hooks";

import { withName } from "../app/naming.js";
import { html } from "../html.js";
import { TournamentNews } from "../models/tournament-news.js";
import { aboutLine, formatName, FORMATS, grouped, statusName } from "../models/tournament-words.js";
import { withParams } from "../net/api.js";
import { parts, plural, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Choice, Select } from "../widgets/choice.js";
import { Filter } from "../widgets/filter.js";
import { later } from "../widgets/later.js";
import { EmptyBoard, LiveCards } from "./common/game-cards.js";
import { Shown, useAnswer, useLoaded } from "./common/load.js";
import { Name, PageHead, Pages, useTitle, When } from "./common/parts.js";
import { Countdown } from "./tournament/begins.js";
import { Taking, useAsk } from "./tournament/taking.js";

const CreateDialog = later(async () => (await import("./tournament/create.js")).CreateDialog);

/** @typedef {import("../app/app.js").App} App */
/** @typedef {{status: string, format: string, owner: string}} Chosen */
/** @import { TournamentSummary, Tournaments } from "../types/api.js" */
/** @import { ReadTournament } from "./tournament.js" */

const PAGE = 30;
const EVERY_MS = 6000;
/** How many players of the large tournament are named. */
const NAMED = 12;

/** Return the states that a list can be limited to. */
const states = () => [
  { value: "", title: tr("All") },
  // "Open" is what a button does, which is another word elsewhere.
  { value: "open", title: tr("open").replace(/^./, (letter) => letter.toUpperCase()) },
  { value: "running", title: tr("Running") },
  { value: "finished", title: tr("Finished") },
  { value: "cancelled", title: tr("Ended early") },
];

/** @param {{app: App}} props */
export function TournamentsPage({ app }) {
  useTitle(app, tr("Tournaments"));
  const [creating, setCreating] = useState(false);
  const create = () => withName(app, () => setCreating(true));
  const query = new URLSearchParams(app.route.value.search);
  const [status, format, owner, after] = ["status", "format", "owner", "after"].map((name) => query.get(name) ?? "");
  const chosen = { status, format, owner };
  const player = app.me.value;
  const loaded = useAnswer("/api/tournaments", { limit: PAGE, ...chosen, after, player }, EVERY_MS);
  return html`<div class="page">
    <${PageHead}
      title=${tr("Tournaments")}
      actions=${html`<${Button} kind="primary" icon="cup" onPress=${create}>${tr("Create a tournament")}<//>`}
    />
    <div class="stack">
      <${Filters} app=${app} chosen=${chosen} />
      <${Shown} app=${app} loaded=${loaded} what=${tr("the tournaments")}>
        ${(/** @type {Tournaments} */ found) =>
          html`<${Found} app=${app} found=${found} chosen=${chosen} after=${after} onCreate=${create} />`}
      <//>
    </div>
    ${creating && html`<${CreateDialog} app=${app} onClose=${() => setCreating(false)} />`}
  </div>`;
}

/** @param {{app: App, chosen: Chosen}} props */
function Filters({ app, chosen }) {
  const with_ = (/** @type {Partial<Chosen>} */ other) => withParams("/tournaments", { ...chosen, ...other });
  const titles = {
    status: states().find(({ value }) => value === chosen.status)?.title,
    format: formatName(chosen.format),
    owner: tr("by {name}", { name: chosen.owner }),
  };
  const chips = /** @type {(keyof Chosen)[]} */ (["status", "format", "owner"]).filter((each) => chosen[each]);
  return html`<${Filter} chips=${chips.map((each) => ({ title: titles[each] ?? "", href: with_({ [each]: "" }) }))}>
    <${Choice} label=${tr("Which")} value=${chosen.status} wrap options=${states()}
      onChange=${(/** @type {string} */ status) => app.navigate(with_({ status }))} />
    <${Select}
      label=${tr("Format")}
      value=${chosen.format}
      options=${[{ value: "", title: tr("All formats") }, ...FORMATS.map(({ key, title }) => ({ value: key, title }))]}
      onChange=${(/** @type {string} */ format) => app.navigate(with_({ format }))}
    />
  <//>`;
}

/** @param {{app: App, found: Tournaments, chosen: Chosen, after: string, onCreate: () => void}} props */
function Found({ app, found, chosen, after, onCreate }) {
  const filtered = Object.values(chosen).some(Boolean);
  const first = filtered || after ? undefined : next(found.tournaments);
  return html`
    ${first && html`<${Large} key=${first.id} app=${app} each=${first} />`}
    ${!found.tournaments.length &&
    (filtered
      ? html`<p class="empty">${parts("No tournament fits. {all}.", { all: html`<a href="/tournaments">${tr("Show all")}</a>` })}</p>`
      : html`<div class="empty stack">
          <p>${tr("There are no tournaments yet.")}</p>
          <p>${tr("People and bots meet in game pairs: two games from one opening, each player once in each seat.")}</p>
          <p><${Button} onPress=${onCreate}>${tr("Create the first one")}<//></p>
        </div>`)}
    <ul class="open-games" role="list" aria-label=${tr("Tournaments")}>
      ${found.tournaments.filter((each) => each !== first).map((each) => html`<${Card} key=${each.id} app=${app} each=${each} />`)}
    </ul>
    <${Pages} path="/tournaments" chosen=${chosen} after=${after} next=${found.next}>
      <span class="muted small">${plural("1 tournament in all", "{n} tournaments in all", found.total, grouped(found.total))}</span>
    <//>
  `;
}

/**
 * Return the tournament that is being played, else the one that begins next; undefined without any.
 * @param {readonly TournamentSummary[]} tournaments
 */
function next(tournaments) {
  const starts = (/** @type {TournamentSummary} */ { terms }) => terms?.starts_ms ?? Infinity;
  const open = tournaments.filter(({ status }) => status === "open").sort((one, other) => starts(one) - starts(other));
  return [...tournaments.filter(({ status }) => status === "running"), ...open].find(({ terms }) => terms !== null);
}

/** @param {TournamentSummary} each */
const pathOf = ({ id }) => `/tournament/${encodeURIComponent(id)}`;

/** @param {{app: App, each: TournamentSummary}} props */
function Large({ app, each }) {
  const news = useMemo(() => new TournamentNews(each.id), []);
  const loaded = useLoaded((signal) => news.load(signal), each.id, EVERY_MS);
  const found = /** @type {ReadTournament | null} */ (loaded.value);
  const { ask, working, problem } = useAsk(app, loaded.again);
  const [live] = found?.live ?? [];
  const { settings } = /** @type {NonNullable<TournamentSummary["terms"]>} */ (each.terms);
  const entrants = found?.entrants ?? [];
  const starts = each.status === "open" ? (each.terms?.starts_ms ?? null) : null;
  return html`<section class="card row large-tournament large" aria-labelledby="next">
    ${live
      ? html`<${LiveCards} app=${app} games=${[{ ...live, which: settings }]} large />`
      : each.status === "running" && !found
      ? html`<div class="open-games large"></div>`
      : html`<a href=${pathOf(each)} tabindex="-1" aria-hidden="true"><${EmptyBoard} app=${app} which=${settings} /></a>`}
    <div class="stack tight">
      <h2 id="next"><a class="tournament-name" href=${pathOf(each)}><bdi>${each.name}</bdi></a></h2>
      <p><${About} each=${each} /> <${Mine} app=${app} owner=${each.owner} /></p>
      <${Countdown} app=${app} starts=${starts} ends=${found?.ends_ms} />
      <p class="large-players">
        ${found && plural("1 player", "{n} players", entrants.length, grouped(entrants.length))}
        ${entrants.slice(0, NAMED).map(({ player }, at) => html`${at > 0 ? ", " : ": "}<${Name} key=${player} name=${player} />`)}
      </p>
      <div class="row">
        ${found && html`<${Taking} app=${app} found=${found} ask=${ask} working=${working} />`}
        <${LinkButton} href=${pathOf(each)} aria-label=${tr("View {name}", { name: each.name })}>${tr("View")}<//>
      </div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </div>
  </section>`;
}

/** @param {{each: TournamentSummary}} props */
function About({ each }) {
  return html`<span class=${`badge ${each.status}`}>${statusName(each.status)}</span>
    ${each.status === "open" && each.terms && !each.terms.people && html` <span class="badge">${tr("bots only")}</span>`}
    ${" "}${each.terms ? aboutLine(each.terms, each.title) : formatName(each.format)}`;
}

/**
 * Say what this player has to do with a tournament.
 * @param {{app: App, owner: string, plays?: boolean}} props
 */
function Mine({ app, owner, plays = false }) {
  const me = app.me.value;
  return html`${plays && html`<span class="badge good">${tr("you play here")}</span>${" "}`}
    ${me !== "" && me === owner && html`<span class="badge">${tr("you organise it")}</span>${" "}`}`;
}

/** @param {{app: App, each: TournamentSummary}} props */
function Card({ app, each }) {
  const starts = each.status === "open" ? each.terms?.starts_ms : null;
  return html`<li>
    <a class="open-game" href=${pathOf(each)}>
      ${each.terms ? html`<${EmptyBoard} app=${app} which=${each.terms.settings} />` : html`<span class="open-game-board"></span>`}
      <span class="open-game-facts">
        <bdi class="tournament-name">${each.name}</bdi>
        <span class="small muted">
          <span class="open-game-line"><${About} each=${each} /></span>
          <${Mine} app=${app} owner=${each.owner} plays=${each.plays} />
          ${tr("by {name}", { name: each.owner })} ·${" "}
          ${starts == null
            ? html`<${When} ms=${each.finished_ms ?? each.started_ms ?? each.created_ms} />`
            : parts("Starts {when}", { when: html`<${When} ms=${starts} />` })}
        </span>
      </span>
    </a>
  </li>`;
}
