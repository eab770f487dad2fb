// The offers and the games of the lobby.

import { html } from "../../html.js";
import { moreLine, roomRows, seekRows } from "../../models/lobby/model.js";
import { roomPath } from "../../models/addresses.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { List } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";
import { useAction } from "./use-action.js";
import { acceptSeek, enterRoom } from "./actions.js";

/**
 * @typedef {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror,
 *   total: number | undefined}} Props
 */

/**
 * The offers of others.
 * @param {Props} props
 */
export function OffersCard({ app, lobby, total }) {
  app.topics.of("lobby").value;
  const [busy, act] = useAction(app);
  const title = (/** @type {any} */ settings) => app.games.title(settings);
  const rows = seekRows(lobby.seeks.values(), app.me.value, title);
  return html`<section class="card stack tight" aria-labelledby="offers">
    <h2 id="offers">Offers</h2>
    <${List}
      label="Offers of others"
      items=${rows}
      keyOf=${(/** @type {any} */ row) => row.seek}
      more=${moreLine(total)}
      empty=${html`<p class="muted">Nobody else waits for an opponent.</p>`}
      row=${(/** @type {import("../../models/lobby/model.js").SeekRow} */ row) => html`
        <span class="grow">
          <${Player} player=${row.player} />
          <span class="row-about">${[row.what, row.time, row.start].filter(Boolean).join(" · ")}</span>
        </span>
        <${Button}
          small
          kind="primary"
          busy=${busy === row.seek}
          aria-label=${`Accept the offer of ${row.player.name}`}
          onPress=${() => act(row.seek, () => acceptSeek(app, row.seek))}
          >Accept<//
        >
      `}
    />
  </section>`;
}

/** @param {Props} props */
export function GamesCard({ app, lobby, total }) {
  app.topics.of("lobby").value;
  const [busy, act] = useAction(app);
  const title = (/** @type {any} */ settings) => app.games.title(settings);
  const rows = roomRows(lobby.rooms.values(), app.me.value, title);
  return html`<section class="card stack tight" aria-labelledby="games">
    <div class="row apart">
      <h2 id="games">Games</h2>
      ${rows.some((row) => row.action === "Watch") && html`<a href="/watch">Watch them all</a>`}
    </div>
    <${List}
      label="Games"
      items=${rows}
      keyOf=${(/** @type {any} */ row) => row.room}
      more=${moreLine(total)}
      empty=${html`<p class="muted">No games yet. Play a bot, or invite a friend.</p>`}
      row=${(/** @type {import("../../models/lobby/model.js").RoomRow} */ row) => html`
        <span class="grow">
          <span class="versus">
            ${row.players.map(
              (player, at) => html`${at > 0 && html`<span class="muted">–</span>`}
                <${Player} key=${player.name} player=${player} />`,
            )}
            ${row.players.length === 0 && "nobody"}
          </span>
          <span class="row-about">${[row.what, row.time, row.state].join(" · ")}</span>
        </span>
        ${row.action === "Join"
          ? html`<${Button}
              small
              kind="primary"
              busy=${busy === row.room}
              aria-label=${`Join the room of ${names(row)}`}
              onPress=${() => act(row.room, () => enterRoom(app, row.room, "", false))}
              >Join<//
            >`
          : html`<${LinkButton}
              small
              kind=${row.action === "Go there" ? "primary" : undefined}
              href=${roomPath(row.room, null)}
              aria-label=${`${row.action}: ${names(row)}`}
              >${row.action}<//
            >`}
      `}
    />
  </section>`;
}

/** @param {import("../../models/lobby/model.js").RoomRow} row */
function names({ players }) {
  return players.map((player) => player.name).join(" – ") || "nobody";
}
