// Join a tournament, or leave it.

import { useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { withName } from "../../app/naming.js";
import { html } from "../../html.js";
import { NO_FIRST_MOVE } from "../../models/pausing.js";
import { hasEnded, isAlwaysOpen, isByDays, leaveWarning } from "../../models/tournament-words.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";

/** @import { Ask, ReadTournament } from "../tournament.js" */

/**
 * Return whether a player called `me` (empty: a visitor without a name) may join, as far as the page can tell; the server decides.
 *
 * @param {ReadTournament} found
 * @param {string} me
 */
export function mayJoin({ status, terms, entrants }, me) {
  if (hasEnded(status) || !terms.people) return false;
  const entry = entrants.find((each) => each.player === me);
  if (entry !== undefined) return entry.state === "left";
  if (status === "running" && !isAlwaysOpen(terms)) return false;
  const folded = me.toLowerCase();
  return terms.invited == null || terms.invited.some((each) => each.toLowerCase() === folded);
}

/**
 * Ask the server for one thing at a time, and load the tournament again after it.
 *
 * @param {import("../../app/app.js").App} app
 * @param {() => void} again
 * @returns {{ask: Ask, working: string, problem: string}} `working`: the kind of request that is under way
 */
export function useAsk(app, again) {
  const [working, setWorking] = useState("");
  const [problem, setProblem] = useState("");
  /** @type {Ask} */
  const ask = async (message, done = "") => {
    if (working) return false;
    setWorking(message.type);
    setProblem("");
    try {
      await app.request(message);
      if (done) app.say(done);
      again();
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      return false;
    } finally {
      setWorking("");
    }
  };
  return { ask, working, problem };
}

/** @param {{app: import("../../app/app.js").App, found: ReadTournament, ask: Ask, working: string}} props */
export function Taking({ app, found, ask, working }) {
  const [asking, setAsking] = useState(false);
  const me = app.me.value;
  const entry = found.entrants.find((each) => each.player === me);
  const leave = () => {
    setAsking(false);
    void ask({ type: "leave_tournament", tournament: found.id }, tr("You have left the tournament."));
  };
  if (entry?.state === "in" && !hasEnded(found.status)) {
    const warning = leaveWarning(found);
    return html`<div class="row taking">
      <span class="badge good">${tr("you play here")}</span>
      <${Button} busy=${working === "leave_tournament"} onPress=${() => (found.format === "arena" ? leave() : setAsking(true))}>${tr("tournament|Leave")}<//>
      ${asking &&
      html`<${Dialog} title=${tr("Leave the tournament?")} action=${tr("tournament|Leave")} kind="danger" onSubmit=${leave} onClose=${() => setAsking(false)}>
        <p>${tr("You get no more games. Games in play continue and count.")} ${warning}</p>
      <//>`}
    </div>`;
  }
  if (!mayJoin(found, me)) return null;
  const join = () =>
    void ask(
      { type: "join_tournament", tournament: found.id },
      isByDays(found.terms)
        ? tr("You are in the tournament. Its games wait for you under My games.")
        : tr("You are in the tournament. Your games open by themselves."),
    );
  return html`<div class="row taking">
    <${Button} kind="primary" busy=${working === "join_tournament"} onPress=${() => withName(app, join)}>
      ${entry === undefined ? tr("Join") : entry.reason === NO_FIRST_MOVE ? tr("I am back") : tr("Join again")}
    <//>
  </div>`;
}
