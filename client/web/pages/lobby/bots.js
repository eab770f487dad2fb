// The levels in one row of faces; a press on one begins a game.

import { adviceFor, keptResults } from "../../app/ladder.js";
import { sizeOf } from "../../app/catalogue.js";
import { html } from "../../html.js";
import { readResults } from "../../models/lobby/ladder.js";
import { levelsOnline } from "../../models/lobby/levels.js";
import { parts, tr } from "../../texts.js";
import { useBotGame, usualLevel } from "../begin/bot-game.js";
import { Face } from "./face.js";
import { quickSettings } from "./quick.js";

/** @param {{app: import("../../app/app.js").App, lobby: import("../../core/lobby.js").LobbyMirror}} props */
export function BotRow({ app, lobby }) {
  app.topics.of("lobby").value;
  const [busy, play] = useBotGame(app);
  const settings = quickSettings(app);
  const levels = levelsOnline(lobby.players.values(), app.me.value);
  const game = app.games.known.value?.games.find((each) => each.key === settings?.game);
  const usual = usualLevel(app);
  const advice = settings && usual && adviceFor(app.storage, settings.game, sizeOf(game, settings.params), usual);
  return html`<section class="lobby-part" aria-labelledby="bots">
    <h2 id="bots">${tr("Play a bot")}</h2>
    ${levels.length > 0 &&
    html`<div class="faces">
      ${levels.map((each) => {
        const score = settings ? scoreAgainst(app, settings.game, each.level) : "";
        return html`<button
          type="button"
          class="face"
          key=${each.level}
          title=${each.about}
          aria-busy=${busy === each.level ? "true" : undefined}
          onClick=${() => settings && void play(each, settings)}
        >
          <${Face} level=${each.level} />
          <span class="face-name">${each.title}</span>
          <span class="face-score numbers" translate=${false}
            >${busy === each.level ? html`<span class="spinner" aria-hidden="true"></span>` : score}</span
          >
        </button>`;
      })}
    </div>`}
    ${levels.length === 0 &&
    html`<p class="muted">
      ${parts("No level is online. The host starts them with {option}. Other bots are under {place}.", {
        option: html`<code>--bots easy,medium,tricky,hard,perfect</code>`,
        place: html`<em>${tr("Who is here")}</em>`,
      })}
    </p>`}
    ${advice && html`<p key=${advice} class="muted small">${advice}</p>`}
  </section>`;
}

/**
 * Return wins and losses against a level in all sizes of a game, such as `3:1`; empty before the first game.
 * @param {import("../../app/app.js").App} app
 * @param {string} game - its key
 * @param {string} level
 */
function scoreAgainst(app, game, level) {
  const mine = Object.entries(keptResults(app.storage).results).filter(
    ([key]) => key.startsWith(`${game} `) && key.endsWith(` ${level}`),
  );
  const sums = mine.map(([, text]) => readResults(text));
  const sum = (/** @type {"wins" | "losses"} */ what) => sums.reduce((total, each) => total + each[what], 0);
  return mine.length ? `${sum("wins")}:${sum("losses")}` : "";
}
