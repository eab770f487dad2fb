// Describe the oldest open challenge to this player, for the strip, and answer it.
//
// During a match it asks before it accepts, because the clock of that match keeps running. The answer
// that changes nothing then lies where *Accept* was, so a double click does no harm.

import { signal } from "@preact/signals";

import { roomPath } from "../models/addresses.js";
import { matchLine } from "../models/lobby/model.js";
import { tr } from "../texts.js";
import { opponentName, runningGames } from "../app/elsewhere.js";

/** The challenges that are being answered, and the one about which the strip asks. */
const answered = signal(/** @type {ReadonlySet<string>} */ (new Set()));
const asking = signal("");

/**
 * @param {import("../app/app.js").App} app
 * @returns {import("./connection.js").Shown | null}
 */
export function challengeNotice(app) {
  const waiting = [...app.session.challenges.values()].find(
    (each) => !answered.value.has(each.challenge),
  );
  if (waiting === undefined) return null;
  const { challenge, player, settings } = waiting;
  const [running] = runningGames(app.session.rooms.values());
  if (running !== undefined && asking.value === challenge) {
    return {
      key: `${challenge} asking`,
      text: tr("Your match against {name} and its clock go on. Play {other}, too?", {
        name: opponentName(running),
        other: player.name,
      }),
      kind: "info",
      actions: [
        { title: tr("Not now"), run: () => (asking.value = "") },
        { title: tr("Play both"), run: () => void answer(app, challenge, true) },
      ],
    };
  }
  const accept = () => {
    if (running === undefined) void answer(app, challenge, true);
    else asking.value = challenge;
  };
  return {
    key: challenge,
    text: tr("{name} challenges you: {match}", {
      name: player.name,
      match: matchLine(settings, (each) => app.games.title(each)),
    }),
    kind: "info",
    actions: [
      { title: tr("Accept"), run: accept },
      { title: tr("Decline"), run: () => void answer(app, challenge, false) },
    ],
  };
}

/**
 * @param {import("../app/app.js").App} app
 * @param {string} challenge
 * @param {boolean} accept
 */
async function answer(app, challenge, accept) {
  answered.value = new Set([...answered.value, challenge]);
  asking.value = "";
  try {
    if (accept) {
      const state = await app.request({ type: "accept_challenge", key: app.key(), challenge });
      app.navigate(roomPath(state.room));
    } else {
      await app.request({ type: "decline_challenge", challenge });
    }
  } catch (error) {
    answered.value = new Set([...answered.value].filter((each) => each !== challenge));
    app.complain(error);
  }
}
