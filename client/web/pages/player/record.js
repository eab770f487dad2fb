// How the last games of a player ended: against whom, in which games, and with which first moves.

import { html } from "../../html.js";
import { knownTitle } from "../../models/title.js";
import { withParams } from "../../net/api.js";
import { plural, tr } from "../../texts.js";
import { Shown, useAnswer } from "../common/load.js";
import { Name } from "../common/parts.js";
import { Table, numbers } from "../common/table.js";

/** @import { OpponentTally, PoolTally, ProfileAnswer } from "../../types/api.js" */
/** @typedef {{won: number, drawn: number, lost: number}} Tally */

const ENDS = () => [tr("Won"), tr("Drawn"), tr("Lost")].map(numbers);

/** @param {{app: import("../../app/app.js").App, player: string}} props */
export function PlayerRecord({ app, player }) {
  const loaded = useAnswer(`/api/players/${encodeURIComponent(player)}/profile`);
  return html`<${Shown} app=${app} loaded=${loaded} what=${tr("the games")}>
    ${(/** @type {ProfileAnswer} */ { games, opponents, pools }) =>
      games > 0 &&
      html`<section class="card stack">
          <h2>${tr("Against whom")}</h2>
          <p class="muted small">${plural("The last public game counts.", "The last {n} public games count.", games)}</p>
          <${Table} caption=${tr("Games by opponent")} kind="cards" head=${[tr("Opponent"), ...ENDS(), [tr("Games"), "visually-hidden"]]}>
            ${opponents.map((each) => html`<${Opponent} key=${each.name} player=${player} each=${each} />`)}
          <//>
        </section>
        <section class="card stack">
          <h2>${tr("Games and first moves")}</h2>
          <${Table} caption=${tr("Games by kind and first moves")} kind="cards" head=${[tr("Game"), ...ENDS()]}>
            ${pools.map((pool) => html`<${Pool} key=${`${pool.game} ${pool.size}`} pool=${pool} />`)}
          <//>
          <p class="muted small">${tr("First moves that mirror or turn each other count as the same.")}</p>
        </section>`}
  <//>`;
}

/** @param {{player: string, each: OpponentTally}} props */
function Opponent({ player, each }) {
  const games = withParams("/games", { player, opponent: each.name });
  const label = tr("Games of {first} and {second}", { first: player, second: each.name });
  return html`<tr>
    <th scope="row"><${Name} name=${each.name} /></th>
    <${Ends} tally=${each} />
    <td class="right"><a href=${games} aria-label=${label}>${tr("Games")}</a></td>
  </tr>`;
}

/** @param {{pool: PoolTally}} props */
function Pool({ pool }) {
  return html`<tr>
      <th scope="row">${knownTitle(pool.title)}</th>
      <${Ends} tally=${pool} />
    </tr>
    ${pool.openings.map(
      (opening) => html`<tr key=${opening.moves.join(" ")} class="muted">
        <td>${opening.moves.join(" ")}</td>
        <${Ends} tally=${opening} />
      </tr>`,
    )}`;
}

/** @param {{tally: Tally}} props */
function Ends({ tally: { won, drawn, lost } }) {
  const counts = [[tr("Won"), won], [tr("Drawn"), drawn], [tr("Lost"), lost]];
  return counts.map(([label, count]) => html`<td key=${label} class="right numbers" data-label=${label}>${count}</td>`);
}
