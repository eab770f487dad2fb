// Describe the oldest open challenge to this player, for the strip, and answer it.
//
// During a match its button says that both would be played, because the clock of that match keeps running.

import { signal } from "@preact/signals";

import { roomPath } from "../models/addresses.js";
import { matchLine } from "../models/lobby/model.js";
import { tr } from "../texts.js";
import { opponentName, runningGames } from "../app/elsewhere.js";

/** The challenges that are being answered. */
const answered = signal(/** @type {ReadonlySet<string>} */ (new Set()));

/**
 * Return the oldest challenge that waits for an answer, if there is one.
 * @param {import("../app/app.js").App} app
 */
export function openChallenge(app) {
  return [...app.session.challenges.values()].find((each) => !answered.value.has(each.challenge));
}

/**
 * @param {import("../app/app.js").App} app
 * @returns {import("./connection.js").Shown | null}
 */
export function challengeNotice(app) {
  const waiting = openChallenge(app);
  if (waiting === undefined) return null;
  const { challenge, player, settings } = waiting;
  const [running] = runningGames(app.session.rooms.values());
  const values = { name: player.name, match: matchLine(settings, (each) => app.games.title(each)) };
  return {
    key: challenge,
    text:
      running === undefined
        ? tr("{name} challenges you: {match}", values)
        : tr("{name} challenges you: {match}. Your match against {other} goes on.", {
            ...values,
            other: opponentName(running),
          }),
    kind: "info",
    actions: [
      { title: running === undefined ? tr("Accept") : tr("Play both"), run: () => void answer(app, challenge, true) },
      { title: tr("Look"), run: () => (app.dialog.value = "challenge") },
    ],
  };
}

/**
 * @param {import("../app/app.js").App} app
 * @param {string} challenge
 * @param {boolean} accept
 * @param {import("../types/wire").DeclineChallenge["word"]} [word] - why not
 */
export async function answer(app, challenge, accept, word = null) {
  answered.value = new Set([...answered.value, challenge]);
  try {
    if (accept) {
      const state = await app.request({ type: "accept_challenge", key: app.key(), challenge });
      app.navigate(roomPath(state.room));
    } else {
      await app.request({ type: "decline_challenge", challenge, ...(word ? { word } : {}) });
    }
  } catch (error) {
    answered.value = new Set([...answered.value].filter((each) => each !== challenge));
    app.complain(error);
  }
}
