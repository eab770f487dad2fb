// Describe the levels: the bots for people, in order of strength.

import { tr } from "../../texts.js";

/** @import { PlayerInfo } from "../../types/wire" */

/** The names of the levels' engines, weakest first. */
export const LEVELS = /** @type {const} */ (["easy", "medium", "tricky", "hard", "perfect"]);

/** What each level is called, as its bot is, and what it is like. */
const WORDS = {
  easy: [tr("easy"), tr("For a first game")],
  medium: [tr("medium"), tr("Knows the rules")],
  tricky: [tr("tricky"), tr("Knows chains")],
  hard: [tr("hard"), tr("Knows control")],
  perfect: [tr("perfect"), tr("The strongest")],
};

/**
 * Return what a level is called; the weakest one for another word.
 * @param {string} level
 */
export function levelTitle(level) {
  return (WORDS[/** @type {keyof typeof WORDS} */ (level)] ?? WORDS.easy)[0] ?? "";
}

/**
 * Return the level of a player, from 1, or null if the player is not one of the levels.
 * @param {PlayerInfo} player
 * @returns {number | null}
 */
export function levelOf(player) {
  const at = LEVELS.findIndex((name) => name === player.engine?.name);
  return at < 0 ? null : at + 1;
}

/**
 * Return `level 1 of 5: easy`, without the name if `word` is false.
 * @param {number} level
 * @param {boolean} [word]
 */
export function levelLine(level, word = true) {
  const values = { level, count: LEVELS.length, name: tr(LEVELS[level - 1] ?? "") };
  return word ? tr("level {level} of {count}: {name}", values) : tr("level {level} of {count}", values);
}

/**
 * Return the level of a bot, or its engine if it has no level; empty for a person.
 * @param {PlayerInfo} player
 */
export function strength(player) {
  if (!player.engine) return "";
  const level = levelOf(player);
  return level === null ? `${player.engine.name} ${player.engine.version}` : levelLine(level);
}

/**
 * A level that is online: its name, and the player to challenge.
 * @typedef {{level: string, title: string, about: string, player: PlayerInfo}} LevelBot
 */

/**
 * Return the levels that are online, weakest first, with one player each.
 * @param {Iterable<PlayerInfo>} players
 * @param {string} me
 * @returns {LevelBot[]}
 */
export function levelsOnline(players, me) {
  const online = [...players].filter((player) => player.kind === "bot" && player.name !== me);
  // The original has a shorter name than a second one of the same kind, such as `easy-2`.
  online.sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  return LEVELS.flatMap((level) => {
    const player = online.find((each) => each.engine?.name === level);
    const [title = "", about = ""] = WORDS[level];
    return player ? [{ level, title, about, player }] : [];
  });
}
