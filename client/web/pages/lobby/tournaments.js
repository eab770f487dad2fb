// The open and running tournaments of the lobby.

import { html } from "../../html.js";
import { formatName } from "../../models/tournament-words.js";
import { language, plural, tr } from "../../texts.js";
import { LinkButton } from "../../widgets/button.js";
import { List, RowAbout } from "../../widgets/list.js";

/** @import { LobbyTournament } from "../../types/wire" */

/** @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror}} props */
export function TournamentsCard({ app, lobby }) {
  app.topics.of("lobby").value;
  return html`<section class="card stack tight" aria-labelledby="tournaments">
    <div class="row apart">
      <h2 id="tournaments">${tr("Tournaments")}</h2>
      <a href="/tournaments">${tr("All tournaments")}</a>
    </div>
    <${List}
      label=${tr("Tournaments")}
      items=${[...lobby.tournaments.values()]}
      keyOf=${(/** @type {LobbyTournament} */ each) => each.tournament}
      empty=${html`<p class="muted">${tr("No tournament is open or running.")}</p>`}
      row=${(/** @type {LobbyTournament} */ each) => html`
        <span class="grow">
          <a href=${`/tournament/${encodeURIComponent(each.tournament)}`}>${each.name}</a>
          <${RowAbout} parts=${[
            formatName(each.format),
            app.games.title(each.settings),
            plural("1 player", "{n} players", each.entrants, { n: each.entrants.toLocaleString(language) }),
            each.status === "open" ? tr("open") : tr("running"),
          ]} />
        </span>
        <${LinkButton}
          small
          href=${`/tournament/${encodeURIComponent(each.tournament)}`}
          aria-label=${each.people ? tr("Join {name}", { name: each.name }) : tr("View {name}", { name: each.name })}
          >${each.people ? tr("Join") : tr("View")}<//>
      `}
    />
  </section>`;
}
