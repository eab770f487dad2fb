// What the organiser of a tournament does: start it, begin the next season of a ladder, end it.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { levelsOnline } from "../../models/lobby/levels.js";
import { grouped, hasEnded, isAlwaysOpen } from "../../models/tournament-words.js";
import { plural, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { followLobby, leaveLobby } from "../lobby/follow.js";

/** @import { Ask, ReadTournament } from "../tournament.js" */

/**
 * Ask bots that are here to join.
 *
 * @param {{app: import("../../app/app.js").App, found: ReadTournament, ask: Ask, working: string}} props
 */
function AddBots({ app, found, ask, working }) {
  const connected = app.connected.value;
  useEffect(() => (connected ? followLobby(app, () => {}) : undefined), [connected]);
  useEffect(() => () => leaveLobby(app), []);
  app.topics.of("lobby").value;
  const gone = new Set(found.entrants.filter((each) => each.state !== "left").map((each) => each.player));
  const levels = levelsOnline(app.session.lobby?.players.values() ?? [], app.me.value).filter(({ player }) => !gone.has(player.name));
  // The row keeps its place until it is known who is here.
  if (!levels.length) return app.session.lobby === null && html`<div class="row add-bots"></div>`;
  return html`<div class="row add-bots" role="group" aria-label=${tr("Add bots")}>
    <span class="muted">${tr("Add bots")}</span>
    ${levels.map(
      ({ level, title, player }) => html`<${Button}
        key=${level}
        small
        busy=${working === "add_bots"}
        onPress=${() => ask({ type: "add_bots", tournament: found.id, bots: [player.name] }, tr("{name} joins in a moment.", { name: player.name }))}
        >${title}<//>`,
    )}
  </div>`;
}

/** @param {{app: import("../../app/app.js").App, found: ReadTournament, ask: Ask, working: string}} props */
export function Organiser({ app, found, ask, working }) {
  const [asking, setAsking] = useState(false);
  const [turning, setTurning] = useState(false);
  if (hasEnded(found.status)) return null;
  const seasons = found.status === "running" && found.format === "ladder" && found.terms.rounds == null;
  const open = found.status === "open";
  const plays = found.entrants.some((each) => each.state === "in" && each.player === app.me.value);
  const here = found.entrants.filter((each) => each.state === "in").length;
  return html`<section class="card row organiser">
    <div class="grow">
      <h2>${plays ? tr("You organise this tournament, and play in it") : tr("You organise this tournament")}</h2>
      <p class="muted">
        ${open
          ? found.next_ms != null
            ? tr("It starts by itself at its time. You can also start it before.")
            : here < 2 && found.format !== "arena"
              ? tr("Pass on the link. Start the tournament when at least two players have joined.")
            : `${plural("1 player can play.", "{n} players can play.", here, grouped(here))} ${tr("Start when everybody is here; stay connected or not, as you like.")}`
          : tr("Games begin by themselves. You can set players aside in the table, or end the tournament early.")}
      </p>
    </div>
    <div class="row">
      ${open &&
      html`<${Button}
        kind="primary"
        disabled=${here < 2 && found.format !== "arena"}
        busy=${working === "start_tournament"}
        onPress=${() => ask({ type: "start_tournament", tournament: found.id }, tr("The tournament has started."))}
      >
        ${tr("tournament|Start")}
      <//>`}
      ${seasons &&
      html`<${Button} busy=${working === "next_season"} onPress=${() => setTurning(true)}>${tr("Next season")}<//>`}
      <${Button} kind="danger" busy=${working === "end_tournament"} onPress=${() => setAsking(true)}>
        ${open ? tr("Call it off") : tr("End it")}
      <//>
    </div>
    ${found.status !== "open" && !isAlwaysOpen(found.terms) ? null : html`<${AddBots} app=${app} found=${found} ask=${ask} working=${working} />`}
    ${turning &&
    html`<${Dialog}
      title=${tr("Begin the next season?")}
      action=${tr("Next season")}
      onClose=${() => setTurning(false)}
      onSubmit=${() => {
        setTurning(false);
        void ask({ type: "next_season", tournament: found.id, keep: true }, tr("The next season has begun."));
      }}
    >
      <p>${tr("This season ends with its table. The next one begins with all ratings, and with those who have played or are here.")}</p>
    <//>`}
    ${asking &&
    html`<${Dialog}
      title=${open ? tr("Call the tournament off?") : tr("End the tournament?")}
      action=${open ? tr("Call it off") : tr("End it")}
      kind="danger"
      onClose=${() => setAsking(false)}
      onSubmit=${() => {
        setAsking(false);
        void ask({ type: "end_tournament", tournament: found.id }, tr("The tournament is over."));
      }}
    >
      <p>${tr("No new games start. Games in play continue and count. This cannot be undone.")}</p>
    <//>`}
  </section>`;
}
