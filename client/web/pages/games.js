// The finished games of the server at /games: newest first, by player and game.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { cardOf } from "../models/game-cards.js";
import { withParams } from "../net/api.js";
import { parts, tr } from "../texts.js";
import { LinkButton } from "../widgets/button.js";
import { Select } from "../widgets/choice.js";
import { Field, MOST_NAME } from "../widgets/field.js";
import { Filter } from "../widgets/filter.js";
import { GameCards } from "./common/game-cards.js";
import { Shown, useAnswer } from "./common/load.js";
import { PageHead, Pages, useTitle } from "./common/parts.js";

/** @typedef {import("../types/api.js").Games} Games */
/** @typedef {{player: string, opponent: string, game: string}} Chosen */

const PAGE = 30;

/** @param {{app: import("../app/app.js").App}} props */
export function GamesPage({ app }) {
  useTitle(app, tr("Finished games"));
  const query = new URLSearchParams(app.route.value.search);
  const [player, opponent, game, after] = ["player", "opponent", "game", "after"].map((name) => query.get(name) ?? "");
  const chosen = { player, opponent, game };
  const loaded = useAnswer("/api/games", { limit: PAGE, ...chosen, after });
  return html`<div class="page wide">
    <${PageHead} title=${tr("Finished games")} />
    <div class="stack">
      <${Filters} app=${app} chosen=${chosen} />
      <${Shown} app=${app} loaded=${loaded} what=${tr("the games")}>
        ${(/** @type {Games} */ found) => html`<${Found} app=${app} found=${found} chosen=${chosen} after=${after} />`}
      <//>
    </div>
  </div>`;
}

/** @param {{app: import("../app/app.js").App, found: Games, chosen: Chosen, after: string}} props */
function Found({ app, found, chosen, after }) {
  const { player, game } = chosen;
  if (!found.games.length) {
    return html`<p class="empty">
      ${after
        ? tr("There are no older games.")
        : player || game
          ? parts("No finished game fits. Check the name, or show {all}.", { all: html`<a href="/games">${tr("all games")}</a>` })
          : parts("No game is over yet. {play}.", { play: html`<a href="/">${tr("Play the first one")}</a>` })}
    </p>`;
  }
  return html`
    <${GameCards} app=${app} games=${found.games.map((each) => cardOf(each, player))} label=${tr("Finished games")} />
    <${Pages} path="/games" chosen=${chosen} after=${after} next=${found.next} />
  `;
}

/** @param {{app: import("../app/app.js").App, chosen: Chosen}} props */
function Filters({ app, chosen }) {
  const { player, opponent, game } = chosen;
  const [name, setName] = useState(player);
  useEffect(() => setName(player), [player]);
  useEffect(() => void app.catalogue().catch(() => {}), []);
  const games = (app.games.known.value?.games ?? []).map(({ key, title }) => ({ value: key, title: tr(title) }));
  const chip = (/** @type {string | undefined} */ title, /** @type {Record<string, string>} */ without) =>
    title ? [{ title, href: withParams("/games", { ...chosen, ...without }) }] : [];
  return html`<${Filter}
    chips=${[
      ...chip(player, { player: "", opponent: "" }),
      ...chip(opponent && `${tr("against")} ${opponent}`, { opponent: "" }),
      ...chip(game && (games.find(({ value }) => value === game)?.title ?? game), { game: "" }),
    ]}
    aside=${html`<${LinkButton} small kind="quiet" href="/me">${tr("My games")}<//>
      <${LinkButton} small kind="quiet" href="/records">${tr("Game file")}<//>`}
    onSubmit=${() => app.navigate(withParams("/games", { player: name.trim(), game }))}
  >
    <${Field} label=${tr("Player")} name="player" value=${name} onInput=${setName} maxlength=${MOST_NAME} type="search" />
    <${Select}
      label=${tr("Game")}
      value=${game}
      options=${[{ value: "", title: tr("All games") }, ...games]}
      onChange=${(/** @type {string} */ value) => app.navigate(withParams("/games", { player: name.trim(), game: value }))}
    />
  <//>`;
}
