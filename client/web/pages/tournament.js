// A tournament at /tournament/ID: its table, who met whom, its games; it updates itself.

import { useEffect, useMemo, useState } from "preact/hooks";

import { html } from "../html.js";
import { endOf } from "../models/game-cards.js";
import { waitLine } from "../models/open-games.js";
import { newestGames } from "../models/tournament.js";
import { TournamentNews } from "../models/tournament-news.js";
import {
  aboutLine,
  grouped,
  hasEnded,
  isByDays,
  progressLine,
  progressShare,
  statusName,
  termsText,
} from "../models/tournament-words.js";
import { parts, plural, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Notice } from "../widgets/notice.js";
import { Share } from "../widgets/share.js";
import { GameCards, LiveCards } from "./common/game-cards.js";
import { Shown, useLoaded } from "./common/load.js";
import { Name, PageHead, useTitle, When } from "./common/parts.js";
import { ProblemPage } from "./problem.js";
import { RatingCurves } from "./tournament/curves.js";
import { Encounters } from "./tournament/encounters.js";
import { Countdown, Remind } from "./tournament/begins.js";
import { Organiser } from "./tournament/organiser.js";
import { Taking, useAsk } from "./tournament/taking.js";
import { Standings } from "./tournament/standings.js";

/** @typedef {import("../app/app.js").App} App */
/** @import { TournamentAnswer } from "../types/api.js" */
/** @typedef {import("../types/wire.js").TournamentTerms} TournamentTerms */
/**
 * @typedef {TournamentAnswer & {terms: TournamentTerms}} ReadTournament a tournament whose terms can be read
 */
/** @typedef {(message: import("../core/messages.js").NewRequest, done?: string) => Promise<boolean>} Ask */

const EVERY_MS = 3000;
const EVERY_BY_DAYS_MS = 60_000;
/** How many finished games are listed before a press on a button. */
const LISTED = 12;

/** @param {{app: App, params: {id: string}}} props */
export function TournamentPage({ app, params }) {
  const { id } = params;
  const [everyMs, setEveryMs] = useState(EVERY_MS);
  const news = useMemo(() => new TournamentNews(id), [id]);
  const loaded = useLoaded((signal) => news.load(signal), id, everyMs);
  const found = loaded.value;
  useTitle(app, found?.name ?? tr("Tournament"));
  useNotices(app, id, loaded.again);
  const ended = found !== null && hasEnded(found.status) && !found.live.length;
  const slow = found?.status === "running" && found.terms != null && isByDays(found.terms);
  useEffect(() => setEveryMs(ended ? 0 : slow ? EVERY_BY_DAYS_MS : EVERY_MS), [ended, slow]);
  if (loaded.error?.status === 404) {
    return html`<${ProblemPage} app=${app} kind="tournament" detail=${loaded.error.sentence} />`;
  }
  return html`<div class="page">
    <${Shown} app=${app} loaded=${loaded} what=${tr("the tournament")}>
      ${(/** @type {TournamentAnswer} */ tournament) =>
        tournament.terms == null
          ? html`<${PageHead} title=${tournament.name} />
              <${Notice} kind="bad" title=${tr("This tournament cannot be shown.")}>${tournament.problem}<//>`
          : html`<${Tournament} app=${app} found=${tournament} again=${loaded.again} />`}
    <//>
  </div>`;
}

/**
 * Load the tournament again when the server says that it has changed.
 *
 * @param {App} app
 * @param {string} id
 * @param {() => void} again
 */
function useNotices(app, id, again) {
  const news = app.topics.of(`tournament:${id}`).value;
  useEffect(() => {
    if (news) again();
  }, [news]);
}

/** @param {{app: App, found: ReadTournament, again: () => void}} props */
function Tournament({ app, found, again }) {
  const { ask, working, problem } = useAsk(app, again);
  const owns = app.me.value !== "" && app.me.value === found.owner;
  const shared = { app, found, ask, working };
  return html`
    <${PageHead}
      title=${html`<span>${found.name}</span> <span class=${`badge ${found.status}`}>${statusName(found.status)}</span>`}
      about=${aboutLine(found.terms, found.title)}
      actions=${html`<${Taking} ...${shared} />`}
    />
    <div class="stack">
      ${problem && html`<${Notice} kind="bad">${problem}<//>`}
      ${found.next_season != null &&
      html`<${Notice}>
        ${parts("This season is over; {link} is in play.", {
          link: html`<a href=${`/tournament/${encodeURIComponent(found.next_season)}`}>${tr("the present season")}</a>`,
        })}
      <//>`}
      <${Progress} app=${app} found=${found} />
      ${owns && html`<${Organiser} ...${shared} />`}
      <${LeaderBoard} app=${app} found=${found} />
      <${LiveGames} app=${app} found=${found} />
      <section class="card stack">
        <h2>${tr("Table")}</h2>
        <${Standings} ...${shared} owns=${owns} />
        <p>
          <a href=${`/api/tournaments/${encodeURIComponent(found.id)}/table`} download=${`${found.id}.csv`}>${tr("Save as CSV")}</a>
        </p>
      </section>
      ${found.curves.length > 0 && html`<${RatingCurves} found=${found} />`}
      <${Encounters} found=${found} />
      <${FinishedGames} app=${app} found=${found} />
      <section class="card stack">
        <h2>${tr("About this tournament")}</h2>
        <p>${termsText(found)}</p>
        <${Share} app=${app} url=${`${location.origin}${location.pathname}`} title=${found.name} label=${tr("Link to this tournament")} qr="hidden" />
        ${found.games.length > 0 &&
        html`<p>
          <a href=${`/api/tournaments/${encodeURIComponent(found.id)}/records`} download=${`${found.id}.txt`}>
            ${tr("Save all records as one file")}
          </a>
        </p>`}
        ${!["ladder", "arena"].includes(found.format) &&
        found.status !== "open" &&
        html`<p>
          <a href=${`/api/tournaments/${encodeURIComponent(found.id)}/trf`} download=${`${found.id}.trf`}>
            ${tr("Save it for Swiss-Manager and other programs (TRF)")}
          </a>
        </p>`}
      </section>
    </div>
  `;
}

/** @param {{app: App, found: ReadTournament}} props */
function Progress({ app, found }) {
  const starts = found.status === "open" ? (found.next_ms ?? null) : null;
  const ends = found.status === "running" ? (found.ends_ms ?? null) : null;
  const mine = found.entrants.find((each) => each.player === app.me.value && each.state === "in" && !each.playing);
  const share = progressShare(found);
  return html`<section class="card progress" aria-label=${tr("Progress")}>
    <div class="row apart">
      <div>
        <p role="status">${progressLine(found)}</p>
        ${(starts !== null || ends !== null) && html`<${Countdown} app=${app} starts=${starts} ends=${ends} />`}
        ${found.status === "running" && mine?.busy
          ? html`<p>${tr("Your game in {name} begins when the one that you play ends.", { name: found.name })}</p>`
          : ends !== null && mine && html`<p>${tr("You are in the tournament. Your games open by themselves.")}</p>`}
        ${starts !== null && html`<${Remind} app=${app} tournament=${found.id} name=${found.name} starts=${starts} />`}
      </div>
      <p class="muted small">
        ${plural("1 player", "{n} players", found.entrants.length, grouped(found.entrants.length))} ·
        ${" "}${parts("organised by {owner}", { owner: html`<${Name} name=${found.owner} />` })}
        ${found.finished_ms != null
          ? html` · ${parts("ended {when}", { when: html`<${When} ms=${found.finished_ms} />` })}`
          : found.started_ms != null && html` · ${parts("since {when}", { when: html`<${When} ms=${found.started_ms} />` })}`}
      </p>
    </div>
    ${share !== null &&
    html`<progress class="bar" max="1" value=${share} aria-label=${tr("Share of the games that are played")}></progress>`}
  </section>`;
}

/**
 * Show the game of the best player who is playing, also to the players who wait for their next game.
 *
 * @param {{app: App, found: ReadTournament}} props
 */
function LeaderBoard({ app, found }) {
  const leader = found.entrants.find((each) => each.playing)?.player ?? "";
  const live = found.live.find(({ players }) => players.includes(leader));
  if (live === undefined || found.live.length === 1 || found.live.some(({ players }) => players.includes(app.me.value))) return null;
  return html`<section class="card stack">
    <h2>${tr("The leader's game")}</h2>
    <${LiveCards} app=${app} games=${[{ ...live, which: found.terms.settings }]} large />
  </section>`;
}

/** @param {{app: App, found: ReadTournament}} props */
function LiveGames({ app, found }) {
  if (!found.live.length) return null;
  const watched = !isByDays(found.terms);
  return html`<section class="card stack">
    <div class="row apart">
      <h2>${tr("In play")}</h2>
      ${watched &&
      html`<${LinkButton} small icon="eye" href=${`/watch?tournament=${encodeURIComponent(found.id)}`}>
        ${tr("Watch all boards")}
      <//>`}
    </div>
    <${LiveCards}
      app=${app}
      large=${found.live.length === 1}
      games=${found.live.map(({ room, players, pair, to_move: mover, left_ms: left }) => {
        const who = mover === app.me.value ? tr("Your turn") : tr("{name} to move", { name: mover ?? "" });
        const number = found.format !== "arena" && tr("pair {number}", { number: pair + 1 });
        const line = [number, mover != null && left != null && waitLine(who, left)].filter(Boolean).join(" · ");
        return { room, players, which: found.terms.settings, line };
      })}
    />
  </section>`;
}

/** @param {{app: App, found: ReadTournament}} props */
function FinishedGames({ app, found }) {
  const [all, setAll] = useState(false);
  if (!found.games.length) return null;
  const games = newestGames(found.games);
  const shown = all ? games : games.slice(0, LISTED);
  return html`<section class="card stack">
    <h2>${tr("Finished games")}</h2>
    <${GameCards}
      app=${app}
      games=${shown.map((game) => {
        const numbers = { pair: game.pair + 1, game: game.game + 1 };
        return { ...game, title: found.format === "arena" ? "" : tr("Pair {pair}, game {game}", numbers), facts: [endOf(game)] };
      })}
      label=${tr("Finished games")}
    />
    ${shown.length < games.length &&
    html`<div class="row"><${Button} onPress=${() => setAll(true)}>${tr("Show all {n} games", { n: games.length })}<//></div>`}
  </section>`;
}
