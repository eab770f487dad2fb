// Choose the bot for the button of the lobby that looks for an opponent, while nobody else is there.

import { levelsOnline } from "./levels.js";

/**
 * @import { LevelBot } from "./levels.js"
 * @import { LobbySeek, PlayerInfo } from "../../types/wire"
 */

/**
 * Return the level to play against; null if another person or an offer is there, or no level is.
 *
 * A person who is alone would wait for an opponent in vain. The button then begins a casual game
 * without a clock.
 * @param {{players: Map<string, PlayerInfo>, seeks: Map<string, LobbySeek>}} lobby
 * @param {string} me
 * @param {string} usual - the level that the person chose last, if any; else the weakest one
 * @returns {LevelBot | null}
 */
export function levelOpponent({ players, seeks }, me, usual) {
  for (const { name, kind } of players.values()) if (kind === "human" && name !== me) return null;
  for (const { player } of seeks.values()) if (player.name !== me) return null;
  const levels = levelsOnline(players.values(), me);
  return levels.find(({ level }) => level === usual) ?? levels[0] ?? null;
}
