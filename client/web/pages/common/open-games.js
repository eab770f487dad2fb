// This player's games in play, the most urgent first; each leads to its room.

import { useEffect } from "preact/hooks";

import { askOpenGames } from "../../app/open-games.js";
import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { positionOf, turnLine } from "../../models/open-games.js";
import { timeLine } from "../../models/room/words.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { LinkButton } from "../../widgets/button.js";
import { useNow } from "../../widgets/clock.js";
import { SmallBoard } from "./game-cards.js";
import { useGeometry } from "./load.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../core/messages.js").OpenGame} OpenGame */

/** @param {{app: App}} props */
export function OpenGames({ app }) {
  app.topics.of("openGames").value;
  const { games, at, known } = app.session.openGames;
  const passed = (useNow(app, 1000) - at) * 1000;
  useEffect(() => askOpenGames(app), []);
  if (!known) return html`<section class="open-games-place"></section>`;
  return html`<section class="stack" aria-label=${tr("Games in play")}>
    <h2>${tr("Games in play")}</h2>
    ${games.length === 0 &&
    html`<p>
        ${tr("No game of yours is in play. In a game by days you have a day or more for each move, and nobody has to wait at the screen.")}
      </p>
      <p class="row"><${LinkButton} href="/" kind="primary">${tr("New game")}<//></p>`}
    <ul class="open-games" role="list">
      ${games.map((game) => html`<${OpenGameLink} key=${game.room} app=${app} game=${game} passed=${passed} />`)}
    </ul>
  </section>`;
}

/**
 * A game with its board; `passed` are the milliseconds since the list came.
 * @param {{app: App, game: OpenGame, passed: number}} props
 */
export function OpenGameLink({ app, game, passed }) {
  const line = turnLine(game, passed);
  const { room, settings, players, seat, to_move: toMove, scores, board } = game;
  const { value: geometry } = useGeometry(app, settings.game, settings.params);
  const names = players.map(({ name }) => name);
  const other = names[seat === 0 ? 1 : 0] ?? "";
  // Games that are only won or lost have no score.
  const score = scores && geometry?.unit && `${scores[seat === 0 ? 0 : 1]} : ${scores[seat === 0 ? 1 : 0]}`;
  return html`<li>
    <a class=${toMove === seat ? "open-game mine" : "open-game"} href=${roomPath(room)}>
      <${SmallBoard} app=${app} which=${settings} position=${board && positionOf({ ...game, board })} players=${names} />
      <span class="open-game-facts">
        <b><bdi translate=${false}>${other}</bdi></b> ${score && html`<span class="numbers" translate=${false}>${score}</span>`}
        <strong key=${line} class="open-game-turn">${line}</strong>
        <span class="small muted">${knownTitle(app.games.title(settings))} · ${timeLine(settings.time)}</span>
      </span>
    </a>
  </li>`;
}
