// The quick match: the button that finds an opponent, with what it begins, and one's own open offers.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { levelOpponent } from "../../models/lobby/alone.js";
import { fieldsFrom, readSettings } from "../../models/lobby/forms.js";
import { timeLine } from "../../models/room/words.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { challenge, NO_CLOCK, quickMatch } from "./actions.js";
import { OwnOffers } from "./own-offers.js";
import { useAction } from "./use-action.js";

/** The fragment of the address with which the form opens at once. */
const PREPARED = "#quick";
const QuickDialog = later(async () => (await import("./dialogs.js")).QuickDialog);

/** @param {{app: import("../../app/app.js").App}} props */
export function QuickMatch({ app }) {
  const [changing, setChanging] = useState(location.hash === PREPARED);
  const [busy, act] = useAction(app);
  app.topics.of("offers").value;
  app.topics.of("lobby").value;
  const settings = quickSettings(app);
  const close = () => {
    setChanging(false);
    // To load the page again must not open the form again.
    if (location.hash === PREPARED) app.navigate("/", { replace: true });
  };
  const { lobby, offers } = app.session;
  const usual = /** @type {{level?: string} | null} */ (app.storage.get("bot"))?.level ?? "";
  const bot = lobby && levelOpponent(lobby, app.me.value, usual);
  const asked = [...offers.values()].some(
    ({ request }) => request.type === "challenge" && request.player === bot?.player.name,
  );
  const about = settings ? aboutLine(app.games.title(settings), settings, bot) : " ";
  const find = () => {
    if (settings === null) return;
    if (bot) {
      const casual = { ...settings, time: NO_CLOCK, rated: false };
      void act("quick", () => challenge(app, bot.player.name, casual, null));
      return;
    }
    for (const { request } of offers.values()) {
      if (request.type !== "challenge" && same(request.settings, settings)) {
        app.notify(tr("You have already offered this match. Wait for an opponent."));
        return;
      }
    }
    void act("quick", () => quickMatch(app, settings));
  };
  return html`<div class="quick">
      <${Button} kind="primary" icon="bolt" wide class="large" busy=${busy === "quick" || asked} onPress=${find}>
        ${tr("Quick match")}
      <//>
      <div class="quick-about">
        <span key=${about} class="muted small">${about}</span>
        <${Button} kind="quiet" small onPress=${() => setChanging(true)} aria-label=${tr("Change the settings of quick matches")}>
          ${tr("Change")}
        <//>
      </div>
    </div>
    <${OwnOffers} app=${app} />
    ${changing && html`<${QuickDialog} app=${app} onClose=${close} />`}`;
}

/**
 * Describe what the button begins: a match with these settings, or a game against a bot.
 * @param {string} title
 * @param {import("../../types/wire").MatchSettings} settings
 * @param {import("../../models/lobby/levels.js").LevelBot | null} bot
 */
function aboutLine(title, { time }, bot) {
  const how = bot ? tr("nobody else is here: vs {level}, no clock", { level: tr(bot.level) }) : timeLine(time);
  return `${title} · ${how}`;
}

/**
 * Return the settings of quick matches: those of the last time, or the defaults.
 * @param {import("../../app/app.js").App} app
 */
export function quickSettings(app) {
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
