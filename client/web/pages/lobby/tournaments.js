// The open and running tournaments of the lobby.

import { html } from "../../html.js";
import { formatName } from "../../models/tournament-words.js";
import { language, plural, tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { useNow } from "../../widgets/clock.js";
import { List, RowAbout } from "../../widgets/list.js";
import { countdown, Remind } from "../tournament/begins.js";
import { useAction } from "./use-action.js";

/** @import { LobbyTournament } from "../../types/wire" */

/**
 * Return what is being played first, then what begins next, then what waits for its organiser.
 *
 * @param {Iterable<LobbyTournament>} tournaments
 */
function sorted(tournaments) {
  const at = (/** @type {LobbyTournament} */ each) => (each.status === "running" ? 0 : (each.starts_ms ?? Infinity));
  return [...tournaments].sort((one, other) => (at(one) < at(other) ? -1 : at(one) > at(other) ? 1 : 0));
}

/** @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror}} props */
export function TournamentsPart({ app, lobby }) {
  const [busy, act] = useAction(app);
  useNow(app, 1000);
  const join = async (/** @type {string} */ tournament) => {
    await app.request({ type: "join_tournament", tournament });
    app.navigate(`/tournament/${encodeURIComponent(tournament)}`);
  };
  app.topics.of("lobby").value;
  return html`<section class="lobby-part" aria-labelledby="tournaments">
    <div class="row apart">
      <h2 id="tournaments">${tr("Tournaments")}</h2>
      <a href="/tournaments">${tr("All tournaments")}</a>
    </div>
    <${List}
      label=${tr("Tournaments")}
      items=${sorted(lobby.tournaments.values())}
      keyOf=${(/** @type {LobbyTournament} */ each) => each.tournament}
      empty=${html`<p class="muted">${tr("No tournament is open or running.")}</p>`}
      row=${(/** @type {LobbyTournament} */ each) => html`
        <span class="grow">
          <a href=${`/tournament/${encodeURIComponent(each.tournament)}`}>${each.name}</a>
          <${RowAbout} parts=${[
            formatName(each.format),
            app.games.title(each.settings),
            plural("1 player", "{n} players", each.entrants, { n: each.entrants.toLocaleString(language) }),
            countdown(each.starts_ms, each.ends_ms) || (each.status === "open" ? tr("open") : tr("running")),
          ]} />
          ${each.starts_ms != null &&
          html`<${Remind} app=${app} tournament=${each.tournament} name=${each.name} starts=${each.starts_ms} />`}
        </span>
        ${each.people
          ? html`<${Button}
              small
              busy=${busy === each.tournament}
              aria-label=${tr("Join {name}", { name: each.name })}
              onPress=${() => act(each.tournament, () => join(each.tournament))}
              >${tr("Join")}<//>`
          : html`<${LinkButton} small href=${`/tournament/${encodeURIComponent(each.tournament)}`} aria-label=${tr("View {name}", { name: each.name })}
              >${tr("View")}<//>`}
      `}
    />
  </section>`;
}
