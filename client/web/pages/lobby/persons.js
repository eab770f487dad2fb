// All ways to play a person: a quick match, an invitation, a room, a code, and one screen for two.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { levelOpponent } from "../../models/lobby/alone.js";
import { fieldsFrom, readSettings } from "../../models/lobby/forms.js";
import { timeLine } from "../../models/room/words.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { challenge, NO_CLOCK, quickMatch } from "./actions.js";
import { OwnOffers } from "./own-offers.js";
import { useAction } from "./use-action.js";

const load = () => import("./dialogs.js");
const CreateDialog = later(async () => (await load()).CreateDialog);
const HotSeatDialog = later(async () => (await load()).HotSeatDialog);
const JoinDialog = later(async () => (await load()).JoinDialog);
const QuickDialog = later(async () => (await load()).QuickDialog);

/** @param {{app: import("../../app/app.js").App}} props */
export function PersonCard({ app }) {
  const [dialog, setDialog] = useState("");
  const [busy, act] = useAction(app);
  app.topics.of("offers").value;
  app.topics.of("lobby").value;
  const settings = quickSettings(app);
  const { lobby, offers } = app.session;
  const usual = /** @type {{level?: string} | null} */ (app.storage.get("bot"))?.level ?? "";
  const bot = lobby && levelOpponent(lobby, app.me.value, usual);
  const asked = [...offers.values()].some(
    ({ request }) => request.type === "challenge" && request.player === bot?.player.name,
  );
  const close = () => setDialog("");
  const find = () => {
    if (settings === null) return;
    if (bot) {
      const casual = { ...settings, time: NO_CLOCK, rated: false };
      void act("quick", () => challenge(app, bot.player.name, casual, null));
      return;
    }
    for (const { request } of offers.values()) {
      if (request.type !== "challenge" && same(request.settings, settings)) {
        app.notify("You have already offered this match. Wait for an opponent.");
        return;
      }
    }
    void act("quick", () => quickMatch(app, settings));
  };
  return html`<section class="card stack" aria-labelledby="play-person">
    <h2 id="play-person">Play a person</h2>
    <div class="quick">
      <${Button} kind="primary" icon="bolt" wide class="large" busy=${busy === "quick" || asked} onPress=${find}>
        Quick match
      <//>
      <div class="quick-about">
        <span class="muted small">
          ${settings ? aboutLine(app.games.title(settings), settings, bot) : " "}
        </span>
        <${Button} kind="quiet" small onPress=${() => setDialog("quick")} aria-label="Change the settings of quick matches">
          Change
        <//>
      </div>
    </div>
    <${OwnOffers} app=${app} />
    <div class="ways">
      <${Button} icon="link" onPress=${() => setDialog("invite")}>Invite a friend<//>
      <${Button} icon="door" onPress=${() => setDialog("create")}>Create a room<//>
      <${Button} icon="key" onPress=${() => setDialog("join")}>Join by code<//>
      <${Button} icon="people" onPress=${() => setDialog("seat")}>Hot seat<//>
    </div>
    ${dialog === "quick" && html`<${QuickDialog} app=${app} onClose=${close} />`}
    ${dialog === "invite" && html`<${CreateDialog} app=${app} closed onClose=${close} />`}
    ${dialog === "create" && html`<${CreateDialog} app=${app} onClose=${close} />`}
    ${dialog === "join" && html`<${JoinDialog} app=${app} onClose=${close} />`}
    ${dialog === "seat" && html`<${HotSeatDialog} app=${app} onClose=${close} />`}
  </section>`;
}

/**
 * Describe what the button begins: a match with these settings, or a game against a bot.
 * @param {string} title
 * @param {import("../../types/wire").MatchSettings} settings
 * @param {import("../../models/lobby/levels.js").LevelBot | null} bot
 */
function aboutLine(title, { time }, bot) {
  const how = bot ? `nobody else is here: vs ${bot.level}, no clock` : timeLine(time);
  return `${title} · ${how}`;
}

/**
 * Return the settings of quick matches: those of the last time, or the defaults.
 * @param {import("../../app/app.js").App} app
 */
function quickSettings(app) {
  const catalogue = app.games.known.value;
  if (catalogue === null) return null;
  const kept = readSettings(fieldsFrom(app.storage.get("quick"), catalogue), catalogue);
  if ("settings" in kept) return kept.settings;
  const usual = readSettings(fieldsFrom(undefined, catalogue), catalogue);
  return "settings" in usual ? usual.settings : null;
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
