// Who is here: all players, whom one can challenge.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { countsLine, moreLine, playerRows } from "../../models/lobby/model.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { List, RowAbout } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";
import { FollowedList } from "./followed.js";

/**
 * @import { PlayerInfo } from "../../types/wire"
 * @import { PlayerRow } from "../../models/lobby/model.js"
 */

const ChallengeDialog = later(async () => (await import("./challenge.js")).ChallengeDialog);

/** How many players are listed at first. */
const SHOWN = 6;

/**
 * Those whom one follows, and all players, people first.
 * @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror,
 *   total: number | undefined}} props
 */
export function PeoplePart({ app, lobby, total }) {
  const [chosen, setChosen] = useState(/** @type {PlayerInfo | null} */ (null));
  app.topics.of("lobby").value;
  const { players, rooms, ratings } = lobby;
  const rows = playerRows(players.values(), rooms.values(), ratings.values(), app.me.value);
  const counts = countsLine(lobby, app.me.value);
  return html`<section class="lobby-part" aria-labelledby="people">
    <div class="row apart">
      <h2 id="people">${tr("Who is here")}</h2>
      <a href="/ratings">${tr("Ratings")}</a>
    </div>
    <p key=${counts} class="muted small">${counts}</p>
    <${FollowedList} app=${app} lobby=${lobby} />
    <${List}
      label=${tr("Players")}
      items=${rows}
      keyOf=${(/** @type {PlayerRow} */ row) => row.name}
      more=${moreLine(total)}
      most=${SHOWN}
      row=${(/** @type {PlayerRow} */ row) => html`
        <span class="grow">
          <${Player} player=${row.player} rating=${row.rating} you=${row.me} />
          <${RowAbout} parts=${[row.about, row.playing && tr("playing")]} />
        </span>
        ${!row.me &&
        html`<${Button}
          small
          aria-label=${tr("Challenge {name}", { name: row.name })}
          onPress=${() => setChosen(row.player)}>${tr("Challenge")}<//>`}
      `}
    />
    ${chosen && html`<${ChallengeDialog} app=${app} players=${[chosen]} onClose=${() => setChosen(null)} />`}
  </section>`;
}
