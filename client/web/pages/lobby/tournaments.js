// The open and running tournaments of the lobby.

import { html } from "../../html.js";
import { count, formatName } from "../../models/tournament-words.js";
import { LinkButton } from "../../widgets/button.js";
import { List } from "../../widgets/list.js";

/** @import { LobbyTournament } from "../../types/wire" */

/** @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror}} props */
export function TournamentsCard({ app, lobby }) {
  app.topics.of("lobby").value;
  return html`<section class="card stack tight" aria-labelledby="tournaments">
    <div class="row apart">
      <h2 id="tournaments">Tournaments</h2>
      <a href="/tournaments">All tournaments</a>
    </div>
    <${List}
      label="Tournaments"
      items=${[...lobby.tournaments.values()]}
      keyOf=${(/** @type {LobbyTournament} */ each) => each.tournament}
      empty=${html`<p class="muted">No tournament is open or running.</p>`}
      row=${(/** @type {LobbyTournament} */ each) => html`
        <span class="grow">
          <a href=${`/tournament/${encodeURIComponent(each.tournament)}`}>${each.name}</a>
          <span class="row-about">
            ${[
              formatName(each.format),
              app.games.title(each.settings),
              count(each.entrants, "player"),
              each.status === "open" ? "open" : "running",
            ].join(" · ")}
          </span>
        </span>
        <${LinkButton}
          small
          href=${`/tournament/${encodeURIComponent(each.tournament)}`}
          aria-label=${`${each.people ? "Join" : "Look at"} ${each.name}`}
          >${each.people ? "Join" : "Look"}<//
        >
      `}
    />
  </section>`;
}
