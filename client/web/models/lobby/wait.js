// Say whom a quick match finds, and how soon.

import { plural, tr } from "../../texts.js";
import { levelsOnline } from "./levels.js";

/**
 * @import { LobbyRoom, LobbySeek, MatchSettings, PlayerInfo } from "../../types/wire"
 * @import { UsualWait } from "../../types/api"
 * @import { LevelBot } from "./levels.js"
 */

/**
 * Whether two matches have the same settings, so that one offer answers the other.
 * @param {unknown} one
 * @param {unknown} other
 */
export function sameMatch(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Return what a quick match meets: who waits for exactly this match, the level that plays if nobody else is
 * here, or how many people could accept, and how long that usually takes if the server knows.
 * @param {{players: Map<string, PlayerInfo>, seeks: Map<string, LobbySeek>, rooms: Map<string, LobbyRoom>}} lobby
 * @param {MatchSettings} settings
 * @param {string} me
 * @param {LevelBot | null} bot
 * @param {readonly UsualWait[]} [waits]
 */
export function waitLine({ players, seeks, rooms }, settings, me, bot, waits = []) {
  if (bot) return tr("Nobody else here: you play {name}.", { name: bot.title });
  const waiting = [...seeks.values()].find(
    (seek) => seek.player.name !== me && sameMatch(seek.settings, settings),
  );
  if (waiting) return tr("{name} waits: you begin at once.", { name: waiting.player.name });
  const busy = new Set();
  for (const { status, players: seated } of rooms.values()) {
    for (const player of seated) if (player && status === "playing") busy.add(player.name);
  }
  const free = [...players.values()].filter(({ name, kind }) => kind === "human" && name !== me && !busy.has(name));
  const usual = waits.find((wait) => sameMatch(wait.settings, settings));
  const line = accepting(free.length, levelsOnline(players.values(), me).length > 0);
  return usual ? `${line} ${usually(usual.median_ms)}` : line;
}

/**
 * @param {number} people
 * @param {boolean} bots
 */
function accepting(people, bots) {
  if (people) return plural("1 person is here and may accept.", "{n} people are here and may accept.", people);
  // Most servers let their bots accept what nobody else does.
  return bots
    ? tr("All others play now. A bot may accept in seconds.")
    : tr("All others play now. You wait until somebody is free.");
}

/** @param {number} ms */
function usually(ms) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 60
    ? plural("Usually 1 second.", "Usually {n} seconds.", seconds)
    : plural("Usually 1 minute.", "Usually {n} minutes.", Math.round(seconds / 60));
}
