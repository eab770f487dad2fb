// The finished games of this player: search, and results by opponent, game and size.

import { tr } from "../texts.js";
import { LEVELS } from "./lobby/levels.js";
import { knownTitle } from "./title.js";

/** @typedef {import("../types/wire").OwnGame} OwnGame */
/** @typedef {{against: string, title: string, won: number, drawn: number, lost: number}} Tally */

/** What all opponents who are people are called. */
export const PEOPLE = tr("people");
/** How each outcome is shown. */
export const OUTCOMES = { won: tr("won"), drawn: tr("draw"), lost: tr("lost"), none: tr("no result") };
/** Words of the search that a game has or has not; others may be parts of its texts. */
const WHOLE = [tr("won"), tr("draw"), tr("lost"), tr("rated"), tr("casual"), tr("private"), tr("public")];

/**
 * Return the level or the program of the opponent, or `PEOPLE`.
 * @param {OwnGame} game
 */
export function against(game) {
  const engine = game.engines[1 - game.seat] ?? "";
  const level = LEVELS.find((each) => engine.startsWith(`${each} `));
  return level ? tr(level) : engine || PEOPLE;
}

/**
 * Return the games with every word of a search, in any case.
 * @param {readonly OwnGame[]} games
 * @param {string} search
 */
export function matching(games, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return games.filter((game) => {
    const facts = [
      OUTCOMES[game.outcome],
      game.rated ? tr("rated") : tr("casual"),
      game.private ? tr("private") : tr("public"),
    ];
    const day = new Date(game.finished_ms).toISOString().slice(0, 10);
    const texts = [game.players[1 - game.seat], against(game), knownTitle(game.title), game.size, day, ...facts];
    const text = texts.join(" ").toLowerCase();
    return words.every((word) => (WHOLE.includes(word) ? facts.includes(word) : text.includes(word)));
  });
}

/**
 * Return the results by opponent, game and size, those with most games first; games without a
 * result do not count.
 * @param {readonly OwnGame[]} games
 * @returns {Tally[]}
 */
export function tallies(games) {
  /** @type {Map<string, Tally>} */
  const found = new Map();
  for (const game of games) {
    if (game.outcome === "none") continue;
    const who = against(game);
    const title = knownTitle(game.title);
    const key = `${title} ${who}`;
    const tally = found.get(key) ?? { against: who, title, won: 0, drawn: 0, lost: 0 };
    tally[game.outcome] += 1;
    found.set(key, tally);
  }
  return [...found.values()].sort((a, b) => played(b) - played(a));
}

/** @param {Tally} tally */
export function played(tally) {
  return tally.won + tally.drawn + tally.lost;
}

/**
 * Return the points per game in percent; a draw is half a point.
 * @param {Tally} tally
 */
export function share(tally) {
  return Math.round((100 * (tally.won + tally.drawn / 2)) / played(tally));
}
