// What a bot that this player runs did, at /bot/NAME: its figures, its costliest moves, and the games that
// it lost by errors.

import { useState } from "preact/hooks";

import { loginPath } from "../app/rights.js";
import { html } from "../html.js";
import { gamePath } from "../models/addresses.js";
import { costWords } from "../models/review/scores.js";
import { knownTitle } from "../models/title.js";
import { getJson } from "../net/api.js";
import { plural, said, told, tr } from "../texts.js";
import { LinkButton } from "../widgets/button.js";
import { playerPath } from "../widgets/player.js";
import { Shown, useLoaded } from "./common/load.js";
import { Name, PageHead, useTitle, When } from "./common/parts.js";
import { Table } from "./common/table.js";
import { writePlace } from "./game/address.js";

/** @typedef {import("../app/app.js").App} App */
/** @import { BotWorkAnswer, CostlyMovesAnswer, FailureAnswer } from "../types/api.js" */

const EVERY_MS = 30_000;
/** How soon to ask again while games are being reviewed. */
const SOON_MS = 3000;
/** @type {Record<string, string>} */
const KINDS = { timeout: tr("on time"), illegal: tr("by an illegal action"), crash: tr("by a crash") };

/** @param {{app: App, params: {name: string}}} props */
export function BotPage({ app, params }) {
  const { name } = params;
  const title = tr("The bot {name}", { name });
  useTitle(app, title);
  app.topics.of("link").value;
  const { token } = app.identity;
  const load = (/** @type {AbortSignal} */ signal) => getJson("/api/account/bots/work", { bot: name }, { token, signal });
  // Only an account runs bots, so nobody else need be asked.
  const loaded = useLoaded(load, app.identity.account ? `bot ${name} ${token}` : null, EVERY_MS);
  return html`<div class="page">
    <${PageHead}
      title=${title}
      about=${tr("Only you see this page: what your bot did, and where it failed.")}
      actions=${html`<${LinkButton} href=${playerPath(name)}>${tr("Ratings and games")}<//>`}
    />
    ${app.identity.account
      ? html`<${Shown} app=${app} loaded=${loaded} what=${tr("the games")}>
          ${(/** @type {BotWorkAnswer} */ work) => html`<div class="stack">
            <${Figures} work=${work} />${work.moves > 0 && html`<${Costly} app=${app} name=${name} />`}<${Failures} failures=${work.failures} />
          </div>`}
        <//>`
      : html`<div class="card empty"><${LinkButton} href=${loginPath(app)}>${tr("Log in")}<//></div>`}
  </div>`;
}

/** @param {{work: BotWorkAnswer}} props */
function Figures({ work }) {
  const errors = Object.entries(work.errors).map(([kind, count]) => `${count} ${KINDS[kind] ?? kind}`);
  const figures = [
    [tr("Won"), work.won],
    [tr("Drawn"), work.drawn],
    [tr("Lost"), work.lost],
    [tr("Lost by errors"), errors.join(", ") || tr("none")],
    [tr("Mean time for a move"), work.mean_ms === null ? "–" : secondsText(work.mean_ms)],
    [tr("Longest time for a move"), work.moves ? secondsText(work.longest_ms) : "–"],
  ];
  return html`<section class="card" aria-label=${tr("Figures")}>
    <dl class="facts">${figures.map(([what, value]) => html`<div key=${what}><dt>${what}</dt><dd>${value}</dd></div>`)}</dl>
  </section>`;
}

/** @param {{app: App, name: string}} props */
function Costly({ app, name }) {
  const { token } = app.identity;
  const [working, setWorking] = useState(false);
  const load = async (/** @type {AbortSignal} */ signal) => {
    /** @type {CostlyMovesAnswer} */
    const found = await getJson("/api/account/bots/moves", { bot: name }, { token, signal });
    setWorking(found.working);
    return found;
  };
  const loaded = useLoaded(load, `moves ${name} ${token}`, working ? SOON_MS : EVERY_MS);
  return html`<${Shown} app=${app} loaded=${loaded} what=${tr("the moves")}>
    ${(/** @type {CostlyMovesAnswer} */ found) => html`<${CostlyMoves} found=${found} />`}
  <//>`;
}

/** @param {{found: CostlyMovesAnswer}} props */
function CostlyMoves({ found }) {
  const { moves, games, judged, working, reason, phrase } = found;
  return html`<section class="card stack">
    <h2>${tr("Costliest moves")}</h2>
    <p class="muted small" role="status">
      ${tr("Games reviewed: {judged} of the last {games}.", { judged, games })}${" "}
      ${working ? tr("The next game is being reviewed ...") : told(reason, phrase)}
    </p>
    ${moves.length ? html`<${MoveTable} moves=${moves} />` : judged > 0 && html`<p>${tr("No mistake was found.")}</p>`}
  </section>`;
}

/** @param {{moves: CostlyMovesAnswer["moves"]}} props */
function MoveTable({ moves }) {
  return html`<${Table} caption=${tr("Costliest moves")} kind="cards" head=${[tr("Move"), tr("Cost"), tr("Better"), tr("Why"), tr("Opponent"), tr("Game")]}>
    ${moves.map(({ game, code, title, opponent, unit, played, better, move }) => {
      const ply = move.ply + 1;
      const reasons = move.phrases.filter(({ rule }) => rule !== "cost");
      const place = writePlace({ code: code ?? "", ply });
      return html`<tr key=${`${game} ${ply}`}>
        <th scope="row"><a href=${`${gamePath(game)}#${place}`}>${tr("Move {ply}: {move}", { ply, move: played })}</a></th>
        <td data-label=${tr("Cost")}>${costWords(move, unit)}</td>
        <td data-label=${tr("Better")}>${better}</td>
        <td data-label=${tr("Why")}>${reasons.map(said).join(" ")}</td>
        <td data-label=${tr("Opponent")}><${Name} name=${opponent} /></td>
        <td data-label=${tr("Game")}>${knownTitle(title)}</td>
      </tr>`;
    })}
  <//>`;
}

/** @param {{failures: FailureAnswer[]}} props */
function Failures({ failures }) {
  if (!failures.length) return html`<p class="card empty">${tr("It has lost no game by an error.")}</p>`;
  return html`<section class="card stack">
    <h2>${plural("1 game lost by an error", "{n} games lost by errors", failures.length)}</h2>
    <${Table} caption=${tr("Lost by errors")} kind="cards" head=${[tr("When"), tr("Opponent"), tr("How"), tr("Why"), tr("Game")]}>
      ${failures.map(
        (each) => html`<tr key=${each.game}>
          <th scope="row"><${When} ms=${each.finished_ms} /></th>
          <td data-label=${tr("Opponent")}><${Name} name=${each.opponent} /></td>
          <td data-label=${tr("How")}>${KINDS[each.termination] ?? each.termination}</td>
          <td data-label=${tr("Why")}>
            <bdi>${each.reason}</bdi>
            ${each.output &&
            html`<details>
              <summary>${tr("What it wrote")}</summary>
              <pre class="output">${each.output}</pre>
            </details>`}
          </td>
          <td data-label=${tr("Game")}><a href=${gamePath(each.game, each.code)}>${knownTitle(each.title)}</a></td>
        </tr>`,
      )}
    <//>
  </section>`;
}

/** @param {number} ms */
function secondsText(ms) {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
