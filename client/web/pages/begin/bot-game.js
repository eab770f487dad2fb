// Begin a game against a level: at once, or with a first move that the person has made already.

import { useState } from "preact/hooks";

import { levelsOnline } from "../../models/lobby/levels.js";
import { UnsentMoves } from "../../models/room/unsent.js";
import { challenge } from "./actions.js";

/**
 * @typedef {import("../../app/app.js").App} App
 * @typedef {import("../../models/lobby/levels.js").LevelBot} LevelBot
 * @typedef {import("../../types/wire").MatchSettings} MatchSettings
 */

/** Settings of a match without a clock. */
export const NO_CLOCK = { base_ms: null, increment_ms: 0, move_ms: null };

/**
 * Return the level whose answer is awaited (or an empty text), and a function that challenges one.
 * @param {App} app
 * @returns {[string, (bot: LevelBot, settings: MatchSettings) => Promise<void>]}
 */
export function useBotGame(app) {
  const [asked, setAsked] = useState({ level: "", offer: "" });
  app.topics.of("offers").value;
  const waits = asked.offer === "asking" || app.session.offers.has(asked.offer);
  const play = async (/** @type {LevelBot} */ { level, player }, /** @type {MatchSettings} */ settings) => {
    if (waits) return;
    setAsked({ level, offer: "asking" });
    app.storage.set("bot", { level });
    try {
      const casual = { ...settings, time: NO_CLOCK, rated: false };
      const answer = await challenge(app, player.name, casual, null);
      setAsked({ level, offer: answer.challenge ?? "" });
    } catch (error) {
      setAsked({ level: "", offer: "" });
      app.complain(error);
    }
  };
  return [waits ? asked.level : "", play];
}

/**
 * Return the level that the person has chosen last; an empty text for none.
 * @param {App} app
 */
export function usualLevel(app) {
  return /** @type {{level?: string} | null} */ (app.storage.get("bot"))?.level ?? "";
}

/**
 * Join, and challenge the usual level, or else the weakest one; the page of the room plays `action`. Return
 * whether a level is there. The page goes to the room as soon as the bot accepts.
 * @param {App} app
 * @param {MatchSettings} settings
 * @param {number} action
 */
export async function beginWith(app, settings, action) {
  await app.connect();
  const { lobby } = app.session;
  const players = lobby?.stale === false ? lobby.players.values() : (await app.request({ type: "follow_lobby" })).players;
  const bots = levelsOnline(players, app.me.value);
  const bot = bots.find(({ level }) => level === usualLevel(app)) ?? bots[0];
  if (bot === undefined) return false;
  const stop = app.listen((updates) => {
    for (const update of updates) {
      if (update.kind === "offerClosed") stop();
      if (update.kind !== "seated") continue;
      const { match, seat, moves, players: seated } = app.session.rooms.get(update.room) ?? {};
      if (match === undefined || seat !== 0 || moves?.length || seated?.[1]?.name !== bot.player.name) continue;
      stop();
      new UnsentMoves(app.storage).keep({ who: "me", room: update.room, match, ply: 0, takebacks: 0, action });
    }
  });
  await challenge(app, bot.player.name, settings, 0).catch((error) => (stop(), Promise.reject(error)));
  return true;
}
