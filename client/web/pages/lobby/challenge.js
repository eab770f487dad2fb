// The dialog that challenges a player to a match.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { sentenceOf } from "../../app/app.js";
import { seatOf } from "../../models/lobby/forms.js";
import { tr } from "../../texts.js";
import { Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";
import { MatchForm, useMatchForm } from "../../widgets/match-form.js";
import { challenge } from "../begin/actions.js";

/** @import { PlayerInfo } from "../../types/wire" */

/**
 * `players` are those to choose from; with one the dialog says whom it challenges. `game` is the game
 * to begin with. `noClock` begins without a clock.
 * @param {{app: import("../../app/app.js").App, players: PlayerInfo[], game?: string,
 *   noClock?: boolean, onClose: () => void}} props
 */
export function ChallengeDialog({ app, players, game, noClock = false, onClose }) {
  const form = useMatchForm(app, "create", (fields) => ({
    ...fields,
    ...(game ? { game } : {}),
    ...(noClock ? { time: "unlimited" } : {}),
  }));
  const [name, setName] = useState(players[0]?.name ?? "");
  const [offer, setOffer] = useState("");
  const [problem, setProblem] = useState("");
  const player = players.find((each) => each.name === name);
  app.topics.of("offers").value;
  const waits = offer === "asking" || app.session.offers.has(offer);
  useEffect(() => {
    // A bot has answered: with a room, to which the page goes, or with a refusal in the strip.
    if (offer !== "" && !waits) onClose();
  }, [offer, waits]);
  const send = async () => {
    const settings = form.take();
    if (settings === null || waits) return;
    setProblem("");
    setOffer("asking");
    try {
      const answer = await challenge(app, name, settings, seatOf(form.fields));
      if (player?.kind === "bot") setOffer(answer.challenge ?? "gone");
      else onClose();
    } catch (error) {
      setOffer("");
      setProblem(sentenceOf(error));
    }
  };
  const who = player?.name ?? tr("the bot");
  return html`<${Dialog}
    title=${players.length > 1 ? tr("Play a bot") : tr("Challenge {name}", { name: who })}
    onClose=${onClose}
    onSubmit=${send}
    problem=${problem}
    action=${players.length > 1 ? tr("Play") : tr("Challenge")}
    busy=${waits}
  >
    ${players.length > 1 &&
    html`<${Select}
      label=${tr("Bot")}
      value=${name}
      options=${players.map((each) => ({ value: each.name, title: each.name }))}
      onChange=${setName}
    />`}
    <${MatchForm}
      form=${form}
      starts=${[tr("Me"), player?.kind === "bot" ? tr("The bot") : who, tr("Chance")]}
      ratable
    />
  <//>`;
}
