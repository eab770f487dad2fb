// A challenge in full: who, what, and the board; it is accepted here, or declined with a word.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { DECLINE_WORDS } from "../models/lobby/decline.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { Select } from "../widgets/choice.js";
import { Dialog } from "../widgets/dialog.js";
import { Terms } from "../widgets/terms.js";
import { answer, openChallenge } from "./challenges.js";

/** @param {{app: import("../app/app.js").App, onClose: () => void}} props */
export function ChallengeDialog({ app, onClose }) {
  const [word, setWord] = useState("");
  app.topics.of("offers").value;
  const [asked] = useState(openChallenge(app));
  const over = asked === undefined || !app.session.challenges.has(asked.challenge);
  useEffect(() => {
    // The strip says how it ended.
    if (over) onClose();
  }, [over]);
  if (asked === undefined) return null;
  const { challenge, player, settings, seat = null } = asked;
  const reply = (/** @type {boolean} */ accept) => {
    onClose();
    void answer(app, challenge, accept, /** @type {keyof typeof DECLINE_WORDS} */ (word) || null);
  };
  const options = Object.entries(DECLINE_WORDS).map(([value, title]) => ({ value, title }));
  return html`<${Dialog}
    title=${tr("{name} challenges you", { name: player.name })}
    onClose=${onClose}
    actions=${html`<${Button} onPress=${() => reply(false)}>${tr("Decline")}<//>
      <${Button} kind="primary" onPress=${() => reply(true)}>${tr("Accept")}<//>`}
  >
    <${Terms} app=${app} settings=${settings} name=${player.name} seat=${seat === null ? null : 1 - seat} />
    <${Select}
      label=${tr("If you decline, say why")}
      value=${word}
      options=${[{ value: "", title: tr("No word") }, ...options]}
      onChange=${setWord}
    />
  <//>`;
}
