// Play now: a quick match, a bot of a level, or the offer of somebody who waits.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { LevelBoard } from "./levels.js";
import { OfferList } from "./offers.js";
import { QuickMatch } from "./quick.js";

/**
 * @param {{app: import("../../app/app.js").App,
 *   lobby: import("../../core/lobby.js").LobbyMirror | null, total: number | undefined}} props
 */
export function NowCard({ app, lobby, total }) {
  return html`<section class="card stack" aria-labelledby="play-now">
    <h2 id="play-now">${tr("Play now")}</h2>
    <${QuickMatch} app=${app} />
    <${LevelBoard} app=${app} />
    ${lobby !== null && html`<${OfferList} app=${app} lobby=${lobby} total=${total} />`}
  </section>`;
}
