// The finished games of the server at /games: newest first, by player and game.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { withParams } from "../net/api.js";
import { parts, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Select } from "../widgets/choice.js";
import { Field } from "../widgets/field.js";
import { Shown, useAnswer } from "./common/load.js";
import { GameLines, PageHead, Pages, useTitle } from "./common/parts.js";

/** @typedef {import("../types/api.js").Games} Games */

const PAGE = 30;

/** @param {{app: import("../app/app.js").App}} props */
export function GamesPage({ app }) {
  useTitle(app, tr("Finished games"));
  const query = new URLSearchParams(app.route.value.search);
  const { player, opponent, game, after } = {
    player: query.get("player") ?? "",
    opponent: query.get("opponent") ?? "",
    game: query.get("game") ?? "",
    after: query.get("after") ?? "",
  };
  const params = { limit: PAGE, player, opponent, game, after };
  const loaded = useAnswer("/api/games", params);
  const choose = (/** @type {Record<string, string>} */ chosen) =>
    app.navigate(withParams("/games", { player, game, ...chosen }));
  return html`<div class="page">
    <${PageHead}
      title=${tr("Finished games")}
      about=${opponent
        ? tr("Public games of {first} and {second} that are over, newest first.", { first: player, second: opponent })
        : tr("Every public game that is over, newest first.")}
      actions=${html`<${LinkButton} href="/me">${tr("My games")}<//> <${LinkButton} href="/records">${tr("Open a record file")}<//>`}
    />
    <div class="stack">
      <${Filters} app=${app} player=${player} game=${game} choose=${choose} />
      <section class="card" aria-label=${tr("Games")}>
        <${Shown} app=${app} loaded=${loaded} what=${tr("the games")}>
          ${(/** @type {Games} */ found) =>
            html`<${Found} found=${found} chosen=${{ player, opponent, game }} after=${after} />`}
        <//>
      </section>
    </div>
  </div>`;
}

/** @param {{found: Games, chosen: {player: string, opponent: string, game: string}, after: string}} props */
function Found({ found, chosen, after }) {
  const { player, game } = chosen;
  if (!found.games.length) {
    return html`<div class="empty">
      ${after
        ? html`<p>${tr("There are no older games.")}</p>`
        : player || game
          ? html`<p>${parts("No finished game fits. Check the name, or show {all}.", { all: html`<a href="/games">${tr("all games")}</a>` })}</p>`
          : html`<p>${parts("No game is over yet. {play}.", { play: html`<a href="/">${tr("Play the first one")}</a>` })}</p>`}
    </div>`;
  }
  return html`
    <${GameLines} games=${found.games} label=${tr("Finished games")} of=${player || undefined} />
    <${Pages} path="/games" chosen=${chosen} after=${after} next=${found.next} />
  `;
}

/**
 * @param {{app: import("../app/app.js").App, player: string, game: string,
 *   choose: (chosen: Record<string, string>) => void}} props
 */
function Filters({ app, player, game, choose }) {
  const [name, setName] = useState(player);
  useEffect(() => setName(player), [player]);
  useEffect(() => void app.catalogue().catch(() => {}), []);
  const games = app.games.known.value?.games ?? [];
  return html`<form
    class="card filters"
    role="search"
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      choose({ player: name.trim() });
    }}
  >
    <${Field} label=${tr("Player")} name="player" value=${name} onInput=${setName} maxLength=${32} type="search" />
    <${Select}
      label=${tr("Game")}
      value=${game}
      options=${[
        { value: "", title: tr("All games") },
        ...games.map((each) => ({ value: each.key, title: tr(each.title) })),
      ]}
      onChange=${(/** @type {string} */ value) => choose({ game: value, player: name.trim() })}
    />
    <${Button} type="submit">${tr("Show")}<//>
    ${(player || game) && html`<${LinkButton} kind="quiet" href="/games">${tr("Clear")}<//>`}
  </form>`;
}
