// Who is here: all players, whom one can challenge.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { countsLine, moreLine, playerRows } from "../../models/lobby/model.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { List, RowAbout } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";

/**
 * @import { PlayerInfo } from "../../types/wire"
 * @import { PlayerRow } from "../../models/lobby/model.js"
 */

const ChallengeDialog = later(async () => (await import("./challenge.js")).ChallengeDialog);

/**
 * All players, behind a line that says how much there is.
 * @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror,
 *   total: number | undefined}} props
 */
export function PeopleCard({ app, lobby, total }) {
  app.topics.of("lobby").value;
  const { players, rooms, ratings } = lobby;
  const rows = playerRows(players.values(), rooms.values(), ratings.values(), app.me.value);
  const counts = countsLine(lobby, app.me.value);
  return html`<details class="card who">
    <summary><h2>${tr("Who is here")}</h2> <span key=${counts} class="muted">${counts}</span></summary>
    <div class="stack tight">
      <${PlayerList} app=${app} label=${tr("Players")} rows=${rows} more=${moreLine(total)} />
      <p><a href="/ratings">${tr("Ratings")}</a></p>
    </div>
  </details>`;
}

/**
 * Players, each with a button that challenges them.
 * @param {{app: import("../../app/app.js").App, label: string, rows: PlayerRow[], more?: string,
 *   most?: number}} props
 */
export function PlayerList({ app, label, rows, more = "", most = 30 }) {
  const [chosen, setChosen] = useState(/** @type {PlayerInfo | null} */ (null));
  return html`<${List}
      label=${label}
      items=${rows}
      keyOf=${(/** @type {PlayerRow} */ row) => row.name}
      more=${more}
      most=${most}
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
    ${chosen && html`<${ChallengeDialog} app=${app} players=${[chosen]} onClose=${() => setChosen(null)} />`}`;
}
