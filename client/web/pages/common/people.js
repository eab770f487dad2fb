// What one can do about another player: follow, block, mute and report.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field } from "../../widgets/field.js";
import { playerPath } from "../../widgets/player.js";
import { useWork } from "../../widgets/work.js";
import { usePeople } from "./use-people.js";

/** @typedef {import("../../app/app.js").App} App */

/** What a report can be about. */
export const REASONS = [
  { value: "insults", title: tr("Insults or threats") },
  { value: "spam", title: tr("Advertising") },
  { value: "cheating", title: tr("Cheating") },
  { value: "name", title: tr("An offensive name") },
  { value: "other", title: tr("Something else") },
];

/**
 * Buttons to follow, block and report a player.
 * @param {{app: App, name: string, game?: string, wide?: boolean}} props
 */
export function PersonActions({ app, name, game, wide = false }) {
  const people = usePeople(app);
  const [reporting, setReporting] = useState(false);
  const { busy, problem, run } = useWork();
  const tie = people.of(name);
  const change = (/** @type {"follow" | "block" | null} */ wish, /** @type {string} */ words) =>
    void run(async () => {
      await people.tie(name, wish);
      app.notify(words, { kind: "good", key: "people" });
    });
  return html`
    ${tie !== "block" &&
    html`<${Button} wide=${wide} busy=${busy}
      onPress=${() => (tie ? change(null, tr("You follow {name} no more.", { name })) : change("follow", tr("You follow {name} now.", { name })))}>
      ${tie === "follow" ? tr("Unfollow") : tr("Follow")}
    <//>`}
    <${Button} wide=${wide} busy=${busy}
      onPress=${() =>
        tie === "block"
          ? change(null, tr("You block {name} no more.", { name }))
          : change("block", tr("You and {name} cannot play or talk with each other now.", { name }))}>
      ${tie === "block" ? tr("Unblock") : tr("Block")}
    <//>
    <${Button} wide=${wide} onPress=${() => setReporting(true)}>${tr("Report ...")}<//>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${reporting && html`<${ReportDialog} app=${app} players=${[name]} game=${game} onClose=${() => setReporting(false)} />`}
  `;
}

/**
 * What can be done about somebody who says something in a room.
 * @param {{app: App, name: string, game: string, onClose: () => void}} props
 */
export function PersonDialog({ app, name, game, onClose }) {
  const { people } = app;
  const muted = people.muted.value.includes(name);
  return html`<${Dialog} title=${name} onClose=${onClose}>
    <div class="stack tight">
      <${LinkButton} wide href=${playerPath(name)}>${tr("Profile")}<//>
      <${Button} wide onPress=${() => people.mute(name, !muted)}>
        ${muted ? tr("Show the words of this player") : tr("Hide the words of this player")}
      <//>
      <${PersonActions} app=${app} name=${name} game=${game} wide />
    </div>
  <//>`;
}

/**
 * Report one of some players to the admins, perhaps about a game.
 * @param {{app: App, players: readonly string[], game?: string, onClose: () => void}} props
 */
export function ReportDialog({ app, players, game, onClose }) {
  const [player, setPlayer] = useState(players[0] ?? "");
  const [reason, setReason] = useState("insults");
  const [words, setWords] = useState("");
  const { busy, problem, run } = useWork();
  const send = () =>
    void run(async () => {
      const about = { player, words, reason, game_id: game ?? null };
      await app.request(/** @type {any} */ ({ type: "report_player", ...about }));
      app.notify(tr("The admins of this server will read your report."), { kind: "good" });
      onClose();
    });
  return html`<${Dialog} title=${tr("Report a player")} action=${tr("Report")} busy=${busy} problem=${problem} onClose=${onClose} onSubmit=${send}>
    ${players.length > 1
      ? html`<${Select} label=${tr("Player")} value=${player} options=${players.map((value) => ({ value, title: value }))} onChange=${setPlayer} />`
      : html`<p><strong>${player}</strong></p>`}
    <${Select} label=${tr("What is it about?")} value=${reason} options=${REASONS} onChange=${setReason} />
    <${Field} label=${tr("What happened?")} value=${words} maxlength=${500} onInput=${setWords}
      hint=${game ? tr("The admins also see the game, and what was said there.") : ""} />
  <//>`;
}
