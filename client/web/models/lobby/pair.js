// Choose two of the bots that are online, to watch them play each other.

import { tr } from "../../texts.js";
import { LEVELS, levelOf } from "./levels.js";
import { about } from "./model.js";

/** @import { PlayerInfo } from "../../types/wire" */
/** @typedef {[string, string]} Pair  the names of the first and the second bot */

/**
 * Return the bots: first the levels, weakest first, then the others by name.
 * @param {Iterable<PlayerInfo>} players
 * @returns {PlayerInfo[]}
 */
export function botsOnline(players) {
  const rank = (/** @type {PlayerInfo} */ bot) => levelOf(bot) ?? LEVELS.length + 1;
  return [...players]
    .filter((player) => player.kind === "bot")
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/**
 * Return the pair to begin with: the one that was chosen last, completed by the strongest levels.
 * @param {PlayerInfo[]} bots - in the order of `botsOnline`
 * @param {unknown} kept - what the browser has kept, if anything
 * @returns {Pair}
 */
export function pairFrom(bots, kept) {
  const names = bots.map((bot) => bot.name);
  const levels = bots.filter((bot) => levelOf(bot) !== null).map((bot) => bot.name);
  const usual = levels.length > 1 ? levels.slice(-2) : names.slice(0, 2);
  const wanted = Array.isArray(kept) ? kept.filter((name) => names.includes(name)) : [];
  const [first = "", second = ""] = new Set([...wanted.slice(0, 2), ...usual, ...names]);
  return [first, second];
}

/**
 * Return the pair with another bot in `place`. The two bots change places where they would be the same.
 * @param {Pair} pair
 * @param {0 | 1} place
 * @param {string} name
 * @returns {Pair}
 */
export function withBot(pair, place, name) {
  const other = pair[1 - place] === name ? pair[place] : pair[1 - place];
  return place === 0 ? [name, other ?? ""] : [other ?? "", name];
}

/**
 * Return the text for a bot in a list: `hard (level 4 of 5)`.
 * @param {PlayerInfo} bot
 */
export function botLine(bot) {
  return `${bot.name} (${about(bot)})`;
}

/**
 * Say why no two bots can play; empty if they can.
 * @param {PlayerInfo[]} bots
 */
export function missingLine(bots) {
  if (bots.length > 1) return "";
  return bots[0]
    ? tr("It takes two bots to watch a match, and only {name} is online.", { name: bots[0].name })
    : tr("It takes two bots to watch a match, and none is online.");
}
