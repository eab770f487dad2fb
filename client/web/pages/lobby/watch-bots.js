// The dialog that lets two bots which are online play each other, for this person to watch.

import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { botLine, botsOnline, missingLine, pairFrom, withBot } from "../../models/lobby/pair.js";
import { tr } from "../../texts.js";
import { Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";
import { MatchForm, useMatchForm } from "../../widgets/match-form.js";
import { useWork } from "../../widgets/work.js";
import { arrangeMatch, leaveRoom } from "../begin/actions.js";

const KEPT = "pair";

/** @param {{app: import("../../app/app.js").App, onClose: () => void}} props */
export function WatchBotsDialog({ app, onClose }) {
  app.topics.of("lobby").value;
  const form = useMatchForm(app, "watch", (fields) => ({ ...fields, rated: false }));
  const [chosen, setChosen] = useState(/** @type {unknown} */ (app.storage.get(KEPT)));
  const { busy, problem, run, clear } = useWork();
  const open = useRef(true);
  useEffect(() => () => void (open.current = false), []);
  const bots = botsOnline(app.session.lobby?.players.values() ?? []);
  const pair = pairFrom(bots, chosen);
  const missing = missingLine(bots);
  const options = bots.map((bot) => ({ value: bot.name, title: botLine(bot) }));
  const play = () => {
    const settings = form.take();
    if (settings === null || busy || missing) return;
    app.storage.set(KEPT, pair);
    void run(async () => {
      const { room } = await arrangeMatch(app, pair, settings);
      if (open.current) app.navigate(roomPath(room));
      else await leaveRoom(app, room);
    });
  };
  const select = (/** @type {0 | 1} */ place, /** @type {string} */ label) => html`<${Select}
    label=${label}
    name=${place === 0 ? "first" : "second"}
    value=${pair[place]}
    options=${options}
    onChange=${(/** @type {string} */ name) => {
      setChosen(withBot(pair, place, name));
      clear();
    }}
  />`;
  return html`<${Dialog}
    title=${tr("Watch two bots")}
    onClose=${onClose}
    onSubmit=${play}
    problem=${missing || problem}
    action=${tr("Let them play")}
    busy=${busy}
    disabled=${missing !== ""}
  >
    ${select(0, tr("First bot (makes the first move)"))} ${select(1, tr("Second bot"))}
    <${MatchForm} form=${form} />
  <//>`;
}
