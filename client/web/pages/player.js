// A player at /player/NAME: ratings with their course, games in play, and the last games.

import { useEffect, useState } from "preact/hooks";

import { withName } from "../app/naming.js";
import { html } from "../html.js";
import { cardOf } from "../models/game-cards.js";
import { intervalText, ratingKey, ratingText } from "../models/rating.js";
import { knownTitle } from "../models/title.js";
import { withParams } from "../net/api.js";
import { parts, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { later } from "../widgets/later.js";
import { GameCards, LiveCards } from "./common/game-cards.js";
import { Shown, useAnswer } from "./common/load.js";
import { PersonActions } from "./common/people.js";
import { PageHead, useTitle, When } from "./common/parts.js";
import { Table, numbers } from "./common/table.js";
import { RatingCurve } from "./player/curve.js";
import { PlayerRecord } from "./player/record.js";
import { ProblemPage } from "./problem.js";

/** @typedef {import("../app/app.js").App} App */
/** @template T @typedef {import("./common/load.js").Loaded<T>} Loaded */
/** @import { Games, PlayerAnswer, RatingCourse, Rooms } from "../types/api.js" */

const ChallengeDialog = later(async () => (await import("./lobby/challenge.js")).ChallengeDialog);
const LAST = 10;
const LIVE_MS = 8000;

/** @param {{app: App, params: {name: string}}} props */
export function PlayerPage({ app, params }) {
  const { name } = params;
  useTitle(app, name);
  const loaded = useAnswer(`/api/players/${encodeURIComponent(name)}`);
  const live = useAnswer("/api/rooms", {}, LIVE_MS);
  const last = useAnswer("/api/games", { player: name, limit: LAST });
  // All of it comes at once, so that nothing jumps.
  const whole = [live, last].every(({ value, error }) => value !== null || error !== null);
  if (loaded.error?.status === 404) {
    return html`<${ProblemPage} app=${app} kind="player" detail=${loaded.error.sentence} />`;
  }
  return html`<div class="page">
    <${Shown} app=${app} loaded=${whole ? loaded : { ...loaded, value: null }} what=${tr("the player")}>
      ${(/** @type {PlayerAnswer} */ player) =>
        html`<${Player} key=${player.name} app=${app} player=${player} rooms=${live.value?.rooms ?? []} last=${last} />`}
    <//>
  </div>`;
}

/** @param {{app: App, player: PlayerAnswer, rooms: Rooms["rooms"], last: Loaded<Games>}} props */
function Player({ app, player, rooms, last }) {
  const me = app.me.value === player.name;
  const kind = player.kind === "bot" ? `${tr("Bot")}${player.engine ? ` · ${player.engine}` : ""}` : tr("Person");
  return html`
    <${PageHead}
      title=${html`<span class="player-title">${player.name}</span>${" "}
        <span class=${player.online ? "badge good" : "badge"}>${player.online ? tr("online") : tr("offline")}</span>`}
      about=${html`${kind}${me ? ` · ${tr("this is you")}` : ""} · ${parts("since {when}", { when: html`<${When} ms=${player.created_ms} />` })}`}
      actions=${me
        ? html`<${LinkButton} href="/me">${tr("My games")}<//> <${LinkButton} href="/account">${tr("Your account")}<//>`
        : html`${player.online && html`<${Challenge} app=${app} player=${player} />`}
        ${app.known.value && html`<${PersonActions} app=${app} name=${player.name} />`}`}
    />
    <div class="stack">
      <${LiveGames} app=${app} player=${player.name} all=${rooms} />
      <${LastGames} app=${app} player=${player.name} loaded=${last} />
      <section class="card stack">
        <h2>${tr("Ratings")}</h2>
        ${player.ratings.length
          ? html`<${PlayerRatings} ratings=${player.ratings} />`
          : html`<p class="muted">
              ${tr("No rating yet. Every rated game gives its players one, by game and size.")}
            </p>`}
      </section>
      <${PlayerRecord} app=${app} player=${player.name} />
    </div>
  `;
}

/** @param {{app: App, player: PlayerAnswer}} props */
function Challenge({ app, player }) {
  const [open, setOpen] = useState(location.hash === "#challenge");
  const players = [{ name: player.name, kind: player.kind, engine: null }];
  return html`
    <${Button} kind="primary" icon="bolt" onPress=${() => withName(app, () => setOpen(true))}>${tr("Challenge")}<//>
    ${open && html`<${ChallengeDialog} app=${app} players=${players} onClose=${() => setOpen(false)} />`}
  `;
}

/** @param {{ratings: RatingCourse[]}} props */
function PlayerRatings({ ratings }) {
  const [chosen, setChosen] = useState(ratingKey(ratings[0]));
  const course = ratings.find((each) => ratingKey(each) === chosen) ?? ratings[0];
  return html`
    <${Table}
      caption=${tr("Ratings by game and size")}
      kind="cards"
      head=${[
        tr("Game"),
        ...[tr("Rating"), tr("95 % interval"), tr("Games")].map(numbers),
        [tr("Curve"), "visually-hidden"],
      ]}
    >
      ${ratings.map((each) => {
        const key = ratingKey(each);
        return html`<tr key=${key} class=${each === course ? "mine" : ""}>
          <th scope="row">
            <a href=${withParams("/ratings", { game: each.game, size: each.size })}>${knownTitle(each.title)}</a>
            ${each.engine && html`<span class="muted small engine">${each.engine}</span>`}
          </th>
          <td class="right numbers strong" data-label=${tr("Rating")}>${ratingText(each)}</td>
          <td class="right numbers" data-label=${tr("95 %")}>${intervalText(each)}</td>
          <td class="right numbers" data-label=${tr("Games")}>${each.games}</td>
          <td class="right">
            <${Button}
              small
              pressed=${each === course}
              label=${tr("Curve of {title}", { title: `${knownTitle(each.title)}${each.engine && `, ${each.engine}`}` })}
              onPress=${() => setChosen(key)}
            >
              ${tr("Curve")}
            <//>
          </td>
        </tr>`;
      })}
    <//>
    ${ratings.some((each) => each.provisional) &&
    html`<p class="muted small">${tr("? means provisional: too few games support this rating yet.")}</p>`}
    <${RatingCurve} course=${course} />
  `;
}

/** @param {{app: App, player: string, all: Rooms["rooms"]}} props */
function LiveGames({ app, player, all }) {
  const rooms = all.filter((room) => room.status === "playing" && room.players.some((each) => each?.name === player));
  const some = rooms.length > 0;
  useEffect(() => {
    // The titles of games are in the catalogue; without it their keys are shown.
    if (some) app.catalogue().catch(() => {});
  }, [some]);
  if (!some) return null;
  return html`<section class="stack">
    <h2>${tr("Playing now")}</h2>
    <${LiveCards}
      app=${app}
      games=${rooms.map(({ room, players, settings }) => ({ room, which: settings, players: players.map((each) => each?.name ?? "") }))}
    />
  </section>`;
}

/** @param {{app: App, player: string, loaded: Loaded<Games>}} props */
function LastGames({ app, player, loaded }) {
  return html`<section class="stack">
    <h2>${tr("Last games")}</h2>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the games")}>
      ${(/** @type {Games} */ { games, next }) =>
        games.length
          ? html`<${GameCards} app=${app} games=${games.map((each) => cardOf(each, player))} label=${tr("Last games")} />
              ${next && html`<p><a href=${withParams("/games", { player })}>${tr("All games of {player}", { player })}</a></p>`}`
          : html`<p class="muted">${tr("No public game is over yet.")}</p>`}
    <//>
  </section>`;
}
