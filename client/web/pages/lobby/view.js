// The lobby: the best live game in the middle, how to play beside it, and everything else below.

import { useEffect, useState } from "preact/hooks";

import { whenIdle } from "../../app/idle.js";
import { askOpenGames } from "../../app/open-games.js";
import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Busy } from "../../widgets/busy.js";
import { BotRow } from "./bots.js";
import { Centre } from "./centre.js";
import { Continue } from "./continue.js";
import { followLobby, leaveLobby } from "./follow.js";
import { FriendPart } from "./friend.js";
import { OfferList } from "./offers.js";
import { PeoplePart } from "./people.js";
import { PuzzlePart } from "./puzzle.js";
import { QuickMatch } from "./quick.js";
import { TournamentsPart } from "./tournaments.js";
import { WatchPart } from "./watch.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("./follow.js").Totals} Totals */

/** @param {{app: App}} props */
export function LobbyView({ app }) {
  const [totals, setTotals] = useState(/** @type {Totals} */ ({}));
  const connected = app.connected.value;
  useEffect(() => {
    app.connect().catch(() => {}); // the strip says what is wrong
    app.catalogue().catch((error) => app.complain(error));
    return whenIdle(() => {
      // What the person probably needs next; a failure shows when it is needed.
      for (const part of [import("../room.js"), import("../begin/dialogs.js")]) part.catch(() => {});
    });
  }, []);
  useEffect(() => {
    if (!connected) return undefined;
    askOpenGames(app);
    return followLobby(app, setTotals);
  }, [connected]);
  useEffect(() => () => leaveLobby(app), []);
  app.topics.of("lobby").value;
  app.topics.of("openGames").value;
  const { lobby, openGames } = app.session;
  // What comes at once does not push other things down.
  const ready = lobby !== null && openGames.known;
  return html`<div class="lobby">
    <h1 class="visually-hidden">${tr("Lobby")}</h1>
    <${Centre} app=${app} lobby=${ready ? lobby : null} />
    <section class="lobby-play" aria-label=${tr("Play now")}>
      <${QuickMatch} app=${app} />
      ${ready
        ? html`<${Continue} app=${app} />
            <${OfferList} app=${app} lobby=${lobby} total=${totals.seeks} />
            <${BotRow} app=${app} lobby=${lobby} />
            <${FriendPart} app=${app} lobby=${lobby} />`
        : html`<${Busy}>${tr("Loading the lobby ...")}<//>`}
    </section>
    ${ready &&
    html`<div class="lobby-more">
      <${PuzzlePart} />
      <${PeoplePart} app=${app} lobby=${lobby} total=${totals.players} />
      <${WatchPart} app=${app} lobby=${lobby} total=${totals.rooms} />
      <${TournamentsPart} app=${app} lobby=${lobby} />
    </div>`}
  </div>`;
}
