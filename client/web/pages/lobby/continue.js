// The games that this player can go on with, the most urgent first.

import { html } from "../../html.js";
import { liveRoom } from "../../models/open-games.js";
import { tr } from "../../texts.js";
import { useNow } from "../../widgets/clock.js";
import { OpenGameLink } from "../common/open-games.js";

/** How many games are shown; all of them are one step behind. */
const SHOWN = 3;

/** @param {{app: import("../../app/app.js").App}} props */
export function Continue({ app }) {
  app.topics.of("openGames").value;
  const { games: all, at } = app.session.openGames;
  // The middle of the lobby shows that one.
  const large = liveRoom(all, app.session.rooms);
  const games = all.filter(({ room }) => room !== large);
  const passed = (useNow(app, games.length ? 1000 : 0) - at) * 1000;
  if (games.length === 0) return null;
  return html`<section class="lobby-part continue" aria-labelledby="continue">
    <div class="row apart">
      <h2 id="continue">${tr("Continue")}</h2>
      ${games.length > SHOWN && html`<a href="/me">${tr("Show all {count}", { count: all.length })}</a>`}
    </div>
    <ul class="open-games" role="list">
      ${games.slice(0, SHOWN).map((game) => html`<${OpenGameLink} key=${game.room} app=${app} game=${game} passed=${passed} />`)}
    </ul>
  </section>`;
}
