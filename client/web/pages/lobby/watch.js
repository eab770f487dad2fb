// Watch: the games of this server, and a match between two bots.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { moreLine, roomRows } from "../../models/lobby/model.js";
import { botsOnline, missingLine } from "../../models/lobby/pair.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { List, RowAbout } from "../../widgets/list.js";
import { Player } from "../../widgets/player.js";
import { enterRoom } from "../begin/actions.js";
import { useAction } from "./use-action.js";

const WatchBotsDialog = later(async () => (await import("./watch-bots.js")).WatchBotsDialog);
/** How many games are listed at first. */
const SHOWN = 6;

/**
 * @typedef {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror,
 *   total: number | undefined}} Props
 */

/** @param {Props} props */
export function WatchPart({ app, lobby, total }) {
  app.topics.of("lobby").value;
  const [busy, act] = useAction(app);
  const title = (/** @type {any} */ settings) => app.games.title(settings);
  const [watching, setWatching] = useState(false);
  const missing = missingLine(botsOnline(lobby.players.values()));
  const rows = roomRows(lobby.rooms.values(), app.me.value, title);
  return html`<section class="lobby-part" aria-labelledby="games">
    <div class="row apart">
      <h2 id="games">${tr("Watch")}</h2>
      ${rows.some((row) => !row.waits) && html`<a href="/watch">${tr("Watch them all")}</a>`}
    </div>
    <${Button}
      icon="eye"
      disabled=${missing !== ""}
      aria-describedby=${missing ? "watch-bots-missing" : undefined}
      onPress=${() => setWatching(true)}>${tr("Watch two bots")}<//>
    ${missing && html`<p key=${missing} id="watch-bots-missing" class="muted small">${missing}</p>`}
    <${List}
      label=${tr("Games")}
      items=${rows}
      keyOf=${(/** @type {any} */ row) => row.room}
      more=${moreLine(total)}
      most=${SHOWN}
      empty=${html`<p class="muted">${tr("Nobody else plays right now.")}</p>`}
      row=${(/** @type {import("../../models/lobby/model.js").RoomRow} */ row) => html`
        <span class="grow">
          <span class="versus">
            ${row.players.map(
              (player, at) => html`${at > 0 && html`<span class="muted">–</span>`}
                <${Player} key=${player.name} player=${player} />`,
            )}
            ${row.players.length === 0 && html`<span>${tr("nobody")}</span>`}
          </span>
          <${RowAbout} parts=${[row.what, row.time, row.waits && tr("waits for a player")]} />
        </span>
        ${row.waits
          ? html`<${Button}
              small
              busy=${busy === row.room}
              aria-label=${tr("Join the room of {players}", { players: names(row) })}
              onPress=${() => act(row.room, () => enterRoom(app, row.room, "", false))}
              >${tr("Join")}<//>`
          : html`<${LinkButton}
              small
              href=${roomPath(row.room, null)}
              aria-label=${tr("Watch: {players}", { players: names(row) })}
              >${tr("Watch")}<//>`}
      `}
    />
    ${watching && html`<${WatchBotsDialog} app=${app} onClose=${() => setWatching(false)} />`}
  </section>`;
}

/** @param {import("../../models/lobby/model.js").RoomRow} row */
function names({ players }) {
  return players.map((player) => player.name).join(" – ") || tr("nobody");
}
