// The lobby: what one can do here, in five areas, and who is here, one step behind.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Busy } from "../widgets/busy.js";
import { followLobby, leaveLobby } from "./lobby/follow.js";
import { FriendCard } from "./lobby/friend.js";
import { LearnCard } from "./lobby/learn.js";
import { NowCard } from "./lobby/now.js";
import { PeopleCard } from "./lobby/people.js";
import { TournamentsCard } from "./lobby/tournaments.js";
import { WatchCard } from "./lobby/watch.js";
import { Welcome } from "./lobby/welcome.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {{players?: number, seeks?: number, rooms?: number}} Totals */

/** @param {{app: App}} props */
export function LobbyPage({ app }) {
  useEffect(() => app.setTitle(tr("Lobby")), []);
  return app.known.value ? html`<${Lobby} app=${app} />` : html`<${Welcome} app=${app} />`;
}

/** @param {{app: App}} props */
function Lobby({ app }) {
  const [totals, setTotals] = useState(/** @type {Totals} */ ({}));
  const connected = app.connected.value;
  useEffect(() => {
    app.connect().catch(() => {}); // the strip says what is wrong
    app.catalogue().catch((error) => app.complain(error));
    return whenIdle(() => {
      // What the person probably needs next; a failure shows when it is needed.
      for (const part of [import("./room.js"), import("./lobby/dialogs.js")]) part.catch(() => {});
    });
  }, []);
  useEffect(() => (connected ? followLobby(app, setTotals) : undefined), [connected]);
  useEffect(() => () => leaveLobby(app), []);
  app.topics.of("lobby").value;
  const lobby = app.session.lobby;
  return html`<div class="page lobby">
    <h1 class="visually-hidden">${tr("Lobby")}</h1>
    <div class="lobby-start">
      <${NowCard} app=${app} lobby=${lobby} total=${totals.seeks} />
      <${FriendCard} app=${app} lobby=${lobby} />
    </div>
    ${lobby === null
      ? html`<${Busy}>${tr("Loading the lobby ...")}<//>`
      : html`<div class="lobby-more">
            <${WatchCard} app=${app} lobby=${lobby} total=${totals.rooms} />
            <div class="stack">
              <${LearnCard} />
              <${TournamentsCard} app=${app} lobby=${lobby} />
            </div>
          </div>
          <${PeopleCard} app=${app} lobby=${lobby} total=${totals.players} />`}
  </div>`;
}

/**
 * Call `run` once the browser has nothing else to do.
 * @param {() => void} run
 * @returns {() => void} stops that
 */
function whenIdle(run) {
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, 1000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run);
  return () => cancelIdleCallback(handle);
}
