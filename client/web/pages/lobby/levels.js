// Play a bot of a chosen level in one click, on a board whose size is remembered.

import { useState } from "preact/hooks";

import { adviceFor } from "../../app/ladder.js";
import { html } from "../../html.js";
import { levelsOnline } from "../../models/lobby/levels.js";
import { OTHER, defaultSize, readSize, sizeOptions } from "../../models/lobby/sizes.js";
import { parts, tr } from "../../texts.js";
import { Select } from "../../widgets/choice.js";
import { later } from "../../widgets/later.js";
import { challenge, NO_CLOCK } from "./actions.js";

/** @import { LevelBot } from "../../models/lobby/levels.js" */

const ChallengeDialog = later(async () => (await import("./challenge.js")).ChallengeDialog);
const KEPT = "bot";

/** @param {{app: import("../../app/app.js").App}} props */
export function LevelBoard({ app }) {
  const [chosen, setChosen] = useState(() => /** @type {any} */ (app.storage.get(KEPT)) ?? {});
  const [waiting, setWaiting] = useState({ level: "", offer: "" });
  const [other, setOther] = useState(false);
  app.topics.of("lobby").value;
  app.topics.of("offers").value;
  const games = app.games.known.value?.games ?? [];
  const game = games.find((each) => each.key === chosen.game) ?? games[0];
  const size = game && readSize(game, String(chosen.sizes?.[game.key])) ? chosen.sizes[game.key] : game && defaultSize(game);
  const lobby = app.session.lobby;
  const levels = levelsOnline(lobby?.players.values() ?? [], app.me.value);
  const keep = (/** @type {object} */ change) => {
    const kept = { ...chosen, ...change };
    setChosen(kept);
    app.storage.set(KEPT, kept);
  };
  const chooseSize = (/** @type {string} */ value) => {
    if (value === OTHER) setOther(true);
    else if (game) keep({ sizes: { ...chosen.sizes, [game.key]: value } });
  };
  const play = async (/** @type {LevelBot} */ { level, player }) => {
    if (game === undefined) return;
    keep({ level });
    setWaiting({ level, offer: "asking" });
    const params = readSize(game, size) ?? {};
    const settings = { game: game.key, params, opening: [], start: [], time: NO_CLOCK, rated: false, evaluation: false };
    try {
      const answer = await challenge(app, player.name, settings, null);
      setWaiting({ level, offer: answer.challenge ?? "" });
    } catch (error) {
      setWaiting({ level: "", offer: "" });
      app.complain(error);
    }
  };
  const advice = game && chosen.level && adviceFor(app.storage, game.key, String(size), chosen.level);
  const busy = waiting.offer === "asking" || app.session.offers.has(waiting.offer) ? waiting.level : "";
  return html`<h3 class="bots-head">${tr("Play a bot")}</h3>
    <div class="bot-board">
      <${Select}
        label=${tr("Game")}
        value=${game?.key ?? ""}
        options=${games.map(({ key, title }) => ({ value: key, title: tr(title) }))}
        onChange=${(/** @type {string} */ key) => keep({ game: key })}
      />
      <${Select}
        label=${tr("Size")}
        value=${size ?? ""}
        options=${game ? sizeOptions(game, size) : []}
        onChange=${chooseSize}
      />
    </div>
    <div class=${lobby === null ? "levels levels-expected" : "levels"}>
      ${levels.map(
        (each) => html`<button
          type="button"
          class="level"
          key=${each.level}
          aria-busy=${busy === each.level ? "true" : undefined}
          onClick=${() => !busy && void play(each)}
        >
          <span class="level-name">${each.title}</span>
          <span key=${each.about} class="level-about">${each.about}</span>
          ${busy === each.level && html`<span class="spinner" aria-hidden="true"></span>`}
        </button>`,
      )}
      ${lobby !== null &&
      levels.length === 0 &&
      html`<p class="muted levels-none">
        ${parts("No level is online. The host starts them with {option}. Other bots are under {place}.", {
          option: html`<code>--bots easy,medium,tricky,hard,perfect</code>`,
          place: html`<em>${tr("Who is here")}</em>`,
        })}
      </p>`}
    </div>
    ${advice && html`<p key=${advice} class="muted small">${advice}</p>`}
    ${other &&
    html`<${ChallengeDialog}
      app=${app}
      players=${levels.map((each) => each.player)}
      game=${game?.key}
      noClock
      onClose=${() => setOther(false)}
    />`}`;
}
