// The quick match: the button that finds an opponent, with what it begins, and one's own open offers.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { levelOpponent } from "../../models/lobby/alone.js";
import { fieldsFrom, readSettings } from "../../models/lobby/forms.js";
import { sameMatch, waitLine } from "../../models/lobby/wait.js";
import { timeLine } from "../../models/room/words.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { later } from "../../widgets/later.js";
import { quickMatch } from "../begin/actions.js";
import { NO_CLOCK, useBotGame, usualLevel } from "../begin/bot-game.js";
import { useAnswer } from "../common/load.js";
import { OwnOffers } from "./own-offers.js";
import { useAction } from "./use-action.js";

/** How often to ask how long others waited. */
const WAITS_MS = 60_000;
/** The fragment of the address with which the form opens at once. */
const PREPARED = "#quick";
const QuickDialog = later(async () => (await import("../begin/dialogs.js")).QuickDialog);

/** @param {{app: import("../../app/app.js").App}} props */
export function QuickMatch({ app }) {
  const [changing, setChanging] = useState(location.hash === PREPARED);
  const [busy, act] = useAction(app);
  const [asked, play] = useBotGame(app);
  app.topics.of("offers").value;
  app.topics.of("lobby").value;
  const settings = quickSettings(app);
  const waits = useAnswer("/api/waits", {}, WAITS_MS).value?.waits;
  const close = () => {
    setChanging(false);
    // To load the page again must not open the form again.
    if (location.hash === PREPARED) app.navigate("/", { replace: true });
  };
  const { lobby, offers } = app.session;
  const bot = lobby && levelOpponent(lobby, app.me.value, usualLevel(app));
  const about = settings ? `${app.games.title(settings)} · ${timeLine(bot ? NO_CLOCK : settings.time)}` : " ";
  const wait = lobby && settings ? waitLine(lobby, settings, app.me.value, bot, waits) : " ";
  const find = () => {
    if (settings === null) return;
    if (bot) return void play(bot, settings);
    for (const { request } of offers.values()) {
      if (request.type !== "challenge" && sameMatch(request.settings, settings)) {
        app.notify(tr("You have already offered this match. Wait for an opponent."));
        return;
      }
    }
    void act("quick", () => quickMatch(app, settings));
  };
  return html`<div class="quick">
      <${Button} kind="primary" icon="bolt" wide class="large" busy=${busy === "quick" || asked !== ""} onPress=${find}>
        ${tr("Quick match")}
      <//>
      <div class="quick-about">
        <span class="small"><span key=${about}>${about}</span> <span key=${wait} class="quick-wait muted">${wait}</span></span>
        <${Button} kind="quiet" small onPress=${() => setChanging(true)} aria-label=${tr("Change what you play")}>
          ${tr("Change")}
        <//>
      </div>
    </div>
    <${OwnOffers} app=${app} />
    ${changing && html`<${QuickDialog} app=${app} onClose=${close} />`}`;
}

/**
 * Return the settings of quick matches and of games against levels: those of the last time, or the defaults.
 * @param {import("../../app/app.js").App} app
 */
export function quickSettings(app) {
  app.topics.of("quick").value;
  const catalogue = app.games.known.value;
  if (catalogue === null) return null;
  const kept = readSettings(fieldsFrom(app.storage.get("quick"), catalogue), catalogue);
  if ("settings" in kept) return kept.settings;
  const usual = readSettings(fieldsFrom(undefined, catalogue), catalogue);
  return "settings" in usual ? usual.settings : null;
}
