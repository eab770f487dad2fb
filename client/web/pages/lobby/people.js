// The players of the lobby; a visitor who is alone gets the address to share.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { moreLine, playerRows } from "../../models/lobby/model.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { List } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";

/** @import { PlayerInfo } from "../../types/wire" */

const ChallengeDialog = later(async () => (await import("./challenge.js")).ChallengeDialog);
const Share = later(async () => (await import("../../widgets/share.js")).Share);

/** @param {import("./games.js").Props} props */
export function PeopleCard({ app, lobby, total }) {
  app.topics.of("lobby").value;
  const [chosen, setChosen] = useState(/** @type {PlayerInfo | null} */ (null));
  const me = app.me.value;
  const { players, rooms, ratings } = lobby;
  const rows = playerRows(players.values(), rooms.values(), ratings.values(), me);
  const alone = !rows.some((row) => row.player.kind === "human" && !row.me);
  return html`<section class="card stack tight" aria-labelledby="people">
    <div class="row apart">
      <h2 id="people">Players</h2>
      <a href="/ratings">Ratings</a>
    </div>
    <${List}
      label="Players"
      items=${rows}
      keyOf=${(/** @type {any} */ row) => row.name}
      more=${moreLine(total)}
      row=${(/** @type {import("../../models/lobby/model.js").PlayerRow} */ row) => html`
        <span class="grow">
          <${Player} player=${row.player} rating=${row.rating} you=${row.me} />
          ${(row.about || row.playing) &&
          html`<span class="row-about">${[row.about, row.playing && "playing"].filter(Boolean).join(" · ")}</span>`}
        </span>
        ${!row.me &&
        html`<${Button}
          small
          aria-label=${`Challenge ${row.name}`}
          onPress=${() => setChosen(row.player)}
          >Challenge<//
        >`}
      `}
    />
    ${alone &&
    !lobby.stale &&
    html`<div class="alone stack tight">
      <p>Nobody else is here. Share this address:</p>
      <${Share} app=${app} url=${location.origin} qr="hidden" label="Address of this server" />
    </div>`}
    ${chosen && html`<${ChallengeDialog} app=${app} players=${[chosen]} onClose=${() => setChosen(null)} />`}
  </section>`;
}
